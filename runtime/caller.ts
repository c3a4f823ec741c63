/** Who calls, however they came: what one call may do and see is decided by this and nothing else. */
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import type { Permission } from './permissions.ts'

export interface Caller {
  /** The name of the authenticator that found it: `api_token`. */
  readonly kind: string
  /** Id of the credential that was shown: calls are counted and idempotency keys kept by it. */
  readonly credentialId: string
  readonly workspaceId: string
  readonly permissions: ReadonlySet<Permission>
  /** Restriction to these sites; empty means all of the workspace. */
  readonly siteIds: readonly string[]
  /** Restriction to these operations (a share link's reports); undefined means whatever the permissions allow. */
  readonly operations?: ReadonlySet<string> | undefined
  /** Conditions that every report is narrowed by, in the form of the input that is marked so (a share link's segment). */
  readonly conditions?: readonly unknown[] | undefined
  /** What the audit log says who it was: an e-mail address, or the name of what called. */
  readonly actor: string
  /** The person behind it; null for what is nobody's: a share link, a probe. Such a caller reads, and writes only what asks for its kind. */
  readonly member: Member | null
  /** When the credential ends, epoch ms, and the addresses it is good from: what a caller makes is never wider. */
  readonly expiresAt: number | null
  readonly allowedIps: readonly string[]
  readonly lastUsedAt: number | null
}

export interface Member {
  readonly memberId: string
  readonly accountId: string
  readonly email: string
  /** How the member is shown: the name, else the e-mail. */
  readonly name: string
  readonly role: string
}

/** A caller with a person behind it: what writes of the table are handed. */
export type MemberCaller = Caller & { readonly member: Member }

export const isMember = (caller: Caller): caller is MemberCaller => caller.member !== null

/** Whether the caller may see something of this workspace and, where it has one, this site. */
export function maySee(caller: Caller, workspaceId: string, siteId: string | null): boolean {
  return caller.workspaceId === workspaceId && (siteId === null || caller.siteIds.length === 0 || caller.siteIds.includes(siteId))
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

/** Whether all addresses of a range are those of one of the allowed ranges. */
export function isWithin(range: string, allowed: readonly string[]): boolean {
  const [base, bits] = parsedRange(range)
  return allowed.some(each => {
    const [outer, outerBits] = parsedRange(each)
    return outer.kind() === base.kind() && bits >= outerBits && base.match(outer, outerBits)
  })
}

type Range = readonly [base: ipaddr.IPv4 | ipaddr.IPv6, bits: number]
const ranges = new LRUCache<string, Range>({ max: 1_000 })
function parsedRange(text: string): Range {
  let range = ranges.get(text)
  if (!range) {
    const base = ipaddr.process(text.replace(/\/.*/, ''))
    range = text.includes('/') ? ipaddr.parseCIDR(text) : [base, base.kind() === 'ipv4' ? 32 : 128]
    ranges.set(text, range)
  }
  return range
}
