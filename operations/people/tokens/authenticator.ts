/** API tokens as credentials: finds the member who owns a token, and the current permissions. */
import { authenticator } from '../../../runtime/table/authenticator.ts'
import { type Caller, isAllowed } from '../../../runtime/table/caller.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { effectivePermissions, type Permission, permissionNames } from '../../../runtime/table/permissions.ts'
import { after } from '../../../storage/values/awaitable.ts'
import { prepared } from '../../../storage/sql/prepared.ts'

/** Runs at every call. */
const findToken = prepared('tokens/authenticator.token', (db, hash: string) =>
  db
    .selectFrom('api_tokens as t')
    .innerJoin('members as m', 'm.id', 't.member_id')
    .innerJoin('accounts as a', 'a.id', 'm.account_id')
    .where('t.hash', '=', hash)
    .select([
      't.id',
      't.workspace_id',
      't.member_id',
      'm.account_id',
      't.permissions',
      't.site_ids',
      't.allowed_ips',
      't.oauth_client',
      't.by_sso',
      't.expires_at',
      't.revoked_at',
      't.last_used_at',
      'm.role',
      'm.active',
      'a.email',
      'a.name',
    ]),
)
type TokenOfMember = Awaited<ReturnType<typeof findToken>>[number]

export const api_token = authenticator<'api_token', TokenOfMember>({
  name: 'api_token',
  sentAs: { bearer: 'pat_' },
  acceptedBy: 'everywhere',
  find: (db, hash, { now }) =>
    after(findToken(db, hash), ([row]) => {
      if (!row) return undefined
      if (row.active === 0) fail('account_deactivated') // deactivation has also revoked the token; report the cause
      if (row.revoked_at !== null) fail('token_revoked')
      if (row.expires_at !== null && row.expires_at <= now) fail('token_expired')
      return row
    }),
  callerOf(row, { ip }) {
    const caller = known(row)
    if (caller.allowedIps.length > 0 && !isAllowed(ip, caller.allowedIps)) fail('ip_not_allowed')
    return caller
  },
  noteUse: (store, id, { now }) => store.write.updateTable('api_tokens').set({ last_used_at: now }).where('id', '=', id).execute(),
})

/** `prepared` returns the same row objects while the database is unchanged, so callers can be cached by row. */
const callers = new WeakMap<TokenOfMember, Caller>()
function known(row: TokenOfMember): Caller {
  let caller = callers.get(row)
  if (!caller) callers.set(row, (caller = callerOf(row)))
  return caller
}

function callerOf(row: TokenOfMember): Caller {
  const siteIds = strings(row.site_ids)
  const permissions = effectivePermissions(strings(row.permissions), row.role, siteIds)
  return Object.freeze({
    kind: row.oauth_client === null ? 'api_token' : 'oauth',
    credentialId: row.id,
    workspaceId: row.workspace_id,
    permissions,
    ...(row.oauth_client !== null && { obtainable: obtainable(row.role, siteIds, permissions) }),
    siteIds,
    actor: row.email,
    member: { memberId: row.member_id, accountId: row.account_id, email: row.email, name: row.name ?? row.email, role: row.role },
    expiresAt: row.expires_at,
    allowedIps: strings(row.allowed_ips),
    lastUsedAt: row.last_used_at,
    ...(row.by_sso === 1 && { signedInBy: row.workspace_id, withoutAccount: true as const }),
  })
}

/** Permissions that the owner could still consent to. */
function obtainable(role: string, siteIds: readonly string[], granted: ReadonlySet<Permission>): ReadonlySet<Permission> {
  return new Set([...effectivePermissions(permissionNames, role, siteIds)].filter(permission => !granted.has(permission)))
}

function strings(json: string): string[] {
  return json === '[]' ? [] : (JSON.parse(json) as string[]) // stored as a list of strings
}
