/** Rotates an API token: a new one with another secret replaces it, and both are accepted for a while. */
import { type Caller, isWithin } from '../../../runtime/table/caller.ts'
import { fail, failWith } from '../../../runtime/table/errors.ts'
import { effectivePermissions } from '../../../runtime/table/permissions.ts'
import { valueTerm } from '../../../runtime/texts/message.ts'
import type { Db } from '../../../storage/store.ts'
import type { TokenRow } from '../../../storage/tables/index.ts'
import { expiryFaults, narrowedBy } from './grant.ts'
import { issueToken } from './issue.ts'
import { m } from './messages.ts'
import { type OwnedToken, status, strings } from './records.ts'

interface Rotation {
  readonly caller: Caller & { readonly member: NonNullable<Caller['member']> }
  readonly now: number
  random(size: number): Buffer
  readonly overlapMs: number
  /** Epoch ms; null: as the former token, or the caller's credential. */
  readonly expiresAt: number | null
}

/**
 * @throws Failure `invalid_state` for a token that has ended, was rotated, or belongs to a client or another member;
 * `permission_denied` if the caller has less than the token
 */
export async function rotateToken(
  db: Db,
  former: OwnedToken,
  { caller, now, random, overlapMs, expiresAt }: Rotation,
): Promise<{ row: OwnedToken; token: string }> {
  const { memberId, role } = caller.member
  const state = status(former, now)
  // The new secret would act for the other member.
  if (former.member_id !== memberId) fail('invalid_state', m.not_own_token())
  if (former.oauth_client !== null) fail('invalid_state', m.client_renews())
  if (former.replaced_by !== null) fail('invalid_state', m.rotated_already({ id: former.replaced_by }))
  if (state !== 'active') fail('invalid_state', m.not_active({ status: valueTerm(state) }))
  failWith(expiryFaults(caller, expiresAt, now))

  const [siteIds, allowedIps] = [strings(former.site_ids), strings(former.allowed_ips)]
  const permissions = [...effectivePermissions(strings(former.permissions), role, siteIds)]
  const missing = permissions.find(name => !caller.permissions.has(name))
  if (missing) fail('permission_denied', m.permission_not_held({ name: missing }))
  const outside = allowedIps.find(range => caller.allowedIps.length > 0 && !isWithin(range, caller.allowedIps))
  if (outside !== undefined) fail('permission_denied', m.address_not_held({ range: outside }))

  const { row, token } = await issueToken(
    db,
    { now, random },
    {
      workspaceId: former.workspace_id,
      memberId,
      name: former.name,
      permissions,
      siteIds,
      allowedIps: narrowedBy(caller, { allowedIps }).allowedIps,
      expiresAt: expiresAt ?? earlier(former.expires_at, caller.expiresAt),
      bySso: former.by_sso === 1 || caller.signedInBy !== undefined,
    },
  )
  await end(db, former, { by: row.id, now, until: now + overlapMs })
  return { row: { ...row, owner: former.owner }, token }
}

/** Ends the former token: at once without an overlap, otherwise at `until`, or earlier at its own expiry. */
async function end(
  db: Db,
  { id, expires_at }: TokenRow,
  { by, now, until }: { readonly by: string; readonly now: number; readonly until: number },
): Promise<void> {
  const ends = until <= now ? { revoked_at: now } : { expires_at: Math.min(until, expires_at ?? until) }
  await db
    .updateTable('api_tokens')
    .set({ ...ends, replaced_by: by })
    .where('id', '=', id)
    .execute()
}

/** The earlier of two expiries; null: never. */
const earlier = (a: number | null, b: number | null): number | null => (a === null || b === null ? (a ?? b) : Math.min(a, b))
