/** Endpoints of SAML single logout, for requests and answers of the identity provider. */
import type { HandlerServices } from '../../../runtime/table/services.ts'
import { hashCredential } from '../../../runtime/call/credentials.ts'
import type { SsoConfigurationRow } from '../../../storage/tables/sso.ts'
import { type EndpointAnswer, type EndpointRequest, endpoint } from '../../../runtime/table/endpoint.ts'
import { auditLogout, endSessionsOf } from './end-sessions.ts'
import { onward, signingKey } from './logins.ts'
import { refuse, SsoRefusal } from './reasons.ts'
import { addressesOf, findConfiguration } from './records.ts'
import { issuerOf, keepReceivedLogout, newRequestId, takeSentLogout } from './requests.ts'
import type { LogoutMessage } from './saml-logout.ts'

export const sso_saml_logout = endpoint({
  route: 'GET /sso/saml/{id}/logout',
  summary: 'SAML single logout (HTTP-Redirect binding)',
  access: 'public',
  handle(request, app) {
    const { search, searchParams } = new URL(request.url)
    return acceptRequest(request, { app, given: searchParams, message: { query: search.slice(1) } })
  },
})

export const sso_saml_logout_form = endpoint({
  route: 'POST /sso/saml/{id}/logout',
  summary: 'SAML single logout (HTTP-POST binding)',
  access: 'public',
  maxBytes: 512 * 1024,
  async handle(request, app) {
    const form = new URLSearchParams(await request.text())
    return acceptRequest(request, { app, given: form, message: { form } })
  },
})

async function acceptRequest(
  request: EndpointRequest,
  { app, given, message }: { app: HandlerServices; given: URLSearchParams; message: LogoutMessage },
): Promise<EndpointAnswer> {
  const { store, config, random } = app
  const row = await findConfiguration(store.read, request.path.id ?? '')
  if (row?.status !== 'active' || row.protocol !== 'saml' || row.idp_slo_url === null)
    return refused('This workspace has no SAML single logout.')
  if (given.has('SAMLResponse') && !given.has('SAMLRequest')) return answered(request, { app, row, message })
  try {
    const now = app.now()
    const addresses = addressesOf(row.workspace_id, config)
    const { logoutAnswerUrl, logoutMs, verifiedLogout } = await import('./saml-logout.ts')
    const asked = await verifiedLogout({ row, addresses, message, now })
    await store.transaction(async db => {
      const id = hashCredential(`${row.workspace_id} ${asked.id}`)
      if (!(await keepReceivedLogout(db, { row, id, now, until: now + 2 * logoutMs }))) refuse('unknown_request')
      await endSessionsOf(db, { app, request, row, subject: asked.nameId, sessionIndex: asked.sessionIndex })
    })
    const key = (await signingKey(store.read, app, row)) ?? refuse('incomplete')
    return onward(await logoutAnswerUrl({ row, addresses, key, id: newRequestId(random) }, asked))
  } catch (thrown) {
    if (thrown instanceof SsoRefusal) return refused(thrown.message)
    throw thrown
  }
}

/** Handles an answer to our own request. The person is already signed out here; the page says whether they are signed out there as well. */
async function answered(
  request: EndpointRequest,
  { app, row, message }: { app: HandlerServices; row: SsoConfigurationRow; message: LogoutMessage },
): Promise<EndpointAnswer> {
  try {
    const now = app.now()
    const { verifiedLogoutAnswer } = await import('./saml-logout.ts')
    const id = await verifiedLogoutAnswer({ row, addresses: addressesOf(row.workspace_id, app.config), message, now })
    await app.store.transaction(async db => {
      const asked = await takeSentLogout(db, { row, id, now })
      if (asked?.issuer !== issuerOf(row)) refuse('unknown_request')
      await auditLogout(db, { app, request, row }, asked)
    })
    return onward('/sign-in?signed_out=everywhere')
  } catch (thrown) {
    if (!(thrown instanceof SsoRefusal)) throw thrown
    app.log.info({ reason: thrown.reason, workspace: row.workspace_id }, 'refused an answer to a logout request')
    return onward('/sign-in?signed_out=here')
  }
}

const refused = (message: string): EndpointAnswer => ({
  status: 400,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  body: `${message}\n`,
})
