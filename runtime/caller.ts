/** Who calls: from an Authorization header to a member with what they may do now. */
import ipaddr from 'ipaddr.js'
import { prepared } from '../storage/prepared.ts'
import type { Db } from '../storage/store.ts'
import { fail } from './errors.ts'
import { effectivePermissions, type Permission } from './permissions.ts'
import { hashToken, isWellFormed } from './tokens.ts'

export interface Caller {
  readonly tokenId: string
  readonly workspaceId: string
  readonly memberId: string
  readonly accountId: string
  readonly email: string
  /** How the member is shown: the name, else the e-mail. */
  readonly name: string
  readonly role: string
  readonly permissions: ReadonlySet<Permission>
  /** Restriction to these sites; empty means all of the workspace. */
  readonly siteIds: readonly string[]
  readonly lastUsedAt: number | null
}

/** The token of `Authorization: Bearer …` (RFC 6750), undefined where there is no such header. */
export function bearer(header: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(header ?? '')?.[1]
}

/**
 * @throws Failure 401 by what is wrong with the token, 403 `ip_not_allowed`
 */
export async function authenticate(db: Db, token: string | undefined, ip: string, now: number): Promise<Caller> {
  if (token === undefined) fail('authentication_required')
  if (!isWellFormed(token)) fail('invalid_token')
  const [row] = await findToken(db, hashToken(token))
  if (!row) fail('invalid_token')
  if (row.revoked_at !== null) fail('token_revoked')
  if (row.expires_at !== null && row.expires_at <= now) fail('token_expired')
  if (row.active === 0) fail('account_deactivated')
  if (row.allowed_ips !== '[]' && !isAllowed(ip, strings(row.allowed_ips))) fail('ip_not_allowed')
  return callerOf(row)
}

type TokenOfMember = Awaited<ReturnType<typeof findToken>>[number]
/** Rows are shared while the database stays the same, and with them what they come to. */
const callers = new WeakMap<TokenOfMember, Caller>()
function callerOf(row: TokenOfMember): Caller {
  let caller = callers.get(row)
  if (!caller) {
    const siteIds = strings(row.site_ids)
    callers.set(row, caller = {
      tokenId: row.id,
      workspaceId: row.workspace_id,
      memberId: row.member_id,
      accountId: row.account_id,
      email: row.email,
      name: row.name ?? row.email,
      role: row.role,
      permissions: effectivePermissions(strings(row.permissions), row.role, siteIds),
      siteIds,
      lastUsedAt: row.last_used_at,
    })
  }
  return caller
}

/** Asked at every call. */
const findToken = prepared((db, hash: string) => db.selectFrom('api_tokens as t')
  .innerJoin('members as m', 'm.id', 't.member_id')
  .innerJoin('accounts as a', 'a.id', 'm.account_id')
  .where('t.hash', '=', hash)
  .select(['t.id', 't.workspace_id', 't.member_id', 'm.account_id', 't.permissions', 't.site_ids', 't.allowed_ips',
    't.expires_at', 't.revoked_at', 't.last_used_at', 'm.role', 'm.active', 'a.email', 'a.name']))

function strings(json: string): string[] {
  return json === '[]' ? [] : (JSON.parse(json) as string[]) // written by us as a list of strings
}

/** @param allowed addresses and CIDR ranges, checked when they were set */
export function isAllowed(ip: string, allowed: readonly string[]): boolean {
  if (!ipaddr.isValid(ip)) return false
  const address = ipaddr.process(ip)
  return allowed.some(range => {
    const [base, bits] = parsedRange(range)
    return base.kind() === address.kind() && address.match(base, bits)
  })
}

type Range = readonly [base: ipaddr.IPv4 | ipaddr.IPv6, bits: number]
const ranges = new Map<string, Range>()
function parsedRange(text: string): Range {
  let range = ranges.get(text)
  if (!range) {
    const base = ipaddr.process(text.replace(/\/.*/, ''))
    range = text.includes('/') ? ipaddr.parseCIDR(text) : [base, base.kind() === 'ipv4' ? 32 : 128]
    if (ranges.size >= 1_000) ranges.clear()
    ranges.set(text, range)
  }
  return range
}

/** Whether the caller may see something of this workspace and, where it has one, this site. */
export function maySee(caller: Caller, workspaceId: string, siteId: string | null): boolean {
  return caller.workspaceId === workspaceId && (siteId === null || caller.siteIds.length === 0 || caller.siteIds.includes(siteId))
}
