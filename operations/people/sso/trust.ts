/**
 * Limits who may change an identity provider. It signs members in, so the person who configures it could act as any of them. The
 * change therefore requires every permission that the identity provider can grant (docs/decisions.md §7).
 */
import type { Caller } from '../../../runtime/table/caller.ts'
import { permissionNames, permissionsOf } from '../../../runtime/table/permissions.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { Db } from '../../../storage/store.ts'
import { type Configured, configured } from './records.ts'
import { m } from './messages.ts'
import type { Message } from '../../../runtime/texts/message.ts'

export type Trusting = Configured & {
  /** Roles of the members whom the identity provider can sign in. */
  readonly signsIn: readonly string[]
}

/** The workspace and the roles that its identity provider can sign in, for operations that change the provider. */
export const trusting = subject<'workspace', Trusting>({
  name: 'workspace',
  async find(db, id) {
    const found = await configured.find(db, id)
    return found && { ...found, row: { ...found.row, signsIn: await signedIn(db, id) } }
  },
  async lock(db, id) {
    const row = await configured.lock?.(db, id)
    return row && { ...row, signsIn: await signedIn(db, id) }
  },
})

/** Roles of members of every state, because SCIM can reactivate them. Includes owners if an owner has linked their account. */
async function signedIn(db: Db, workspaceId: string): Promise<string[]> {
  const of = db.selectFrom('members as m').select('m.role').distinct().where('m.workspace_id', '=', workspaceId)
  const linked = db.selectFrom('sso_identities').select('linked_member_id').where('linked_member_id', 'is not', null)
  const rows = await of.where(({ or, eb }) => or([eb('m.role', '!=', 'owner'), eb('m.id', 'in', linked)])).execute()
  return rows.map(({ role }) => role)
}

/**
 * Returns the reason why this caller may not change the identity provider; undefined if they may.
 * @param granted a further role that the identity provider grants after the change
 */
export function lackOfTrust(caller: Caller, { sso, signsIn }: Trusting, granted?: string): Message | undefined {
  const given = new Set([...signsIn, sso?.default_role ?? 'viewer', granted ?? ''].flatMap(role => permissionsOf(role)))
  const missing = permissionNames.filter(name => given.has(name) && !caller.permissions.has(name))
  if (missing.length === 0) return undefined
  return m.lack_of_trust({ permissions: missing })
}
