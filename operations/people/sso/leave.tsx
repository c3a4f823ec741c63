/** Signing out here continues at the identity provider that began the session, if it offers single logout. */
import { hashCredential } from '../../../runtime/call/credentials.ts'
import { page } from '../../../runtime/table/page.ts'
import { onHook } from '../../../runtime/events/subscriber.ts'
import { matches } from '../../../runtime/values/matches.ts'
import { signing_out } from '../sessions/index.ts'
import { signingKey } from './logins.ts'
import { forwarding } from './pages.tsx'
import { NameId } from './profile.ts'
import { addressesOf, findConfiguration } from './records.ts'
import { issuerOf, keepLeaving, keepSentLogout, newRequestId, takeRequest } from './requests.ts'

export const leave_identity_provider = onHook(signing_out, async ({ session, leaveBy }, context) => {
  const { db } = context
  const begun = await db.selectFrom('sso_sessions').selectAll().where('session_id', '=', session.id).executeTakeFirst()
  const row = begun && (await findConfiguration(db, begun.workspace_id))
  if (!row || begun.name_id === null || row.status !== 'active' || row.protocol !== 'saml' || row.idp_slo_url === null) return
  leaveBy(`/sso/leave?ticket=${await keepLeaving(db, { row, nameId: begun.name_id }, context)}`)
})

export const sso_leave = page({
  route: 'GET /sso/leave',
  summary: 'Sign out at the identity provider as well',
  access: 'public',
  async show({ query, now, say }, app) {
    const { store, config, random } = app
    const asked = await store.transaction(db => takeRequest(db, { id: hashCredential(query.get('ticket') ?? ''), kind: 'leave', now }))
    const row = asked && (await findConfiguration(store.read, asked.workspace_id))
    const nameId: unknown = JSON.parse(asked?.profile ?? 'null')
    const isSame = row?.status === 'active' && row.idp_slo_url !== null && issuerOf(row) === asked?.issuer
    const key = isSame ? await signingKey(store.read, app, row) : null
    if (!isSame || key === null || !matches(NameId, nameId)) return { location: '/sign-in' }
    const { logoutUrl } = await import('./saml-logout.ts')
    const id = newRequestId(random)
    await store.transaction(db => keepSentLogout(db, { row, id, nameId: asked?.profile ?? '', now }))
    return forwarding(await logoutUrl({ row, addresses: addressesOf(row.workspace_id, config), key, id, nameId: nameId as NameId }), say) // stored as a NameId
  },
})
