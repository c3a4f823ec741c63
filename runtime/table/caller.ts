/** The caller of an operation; the only source of what a call may do and see. */
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import type { Db } from '../../storage/store.ts'
import type { Limits } from './report-limits.ts'
import type { Message } from '../texts/message.ts'
import { m } from './messages.ts'
import type { Permission } from './permissions.ts'

export interface Caller {
  /** Name of the authenticator, `api_token`; or `oauth`, for the token of an OAuth client. The audit log has it. */
  readonly kind: string
  /** Id of the credential; rate limits and idempotency keys are counted by it. */
  readonly credentialId: string
  /** Empty for a signed-in user who is a member of no workspace. */
  readonly workspaceId: string
  readonly permissions: ReadonlySet<Permission>
  /** For an OAuth client: permissions that its user has and did not consent to. The client can ask for them (RFC 6750 §3.1). */
  readonly obtainable?: ReadonlySet<Permission>
  /** Restriction to these sites; empty means all of the workspace. */
  readonly siteIds: readonly string[]
  /** Restriction to these operations (a share link's reports); undefined: all that the permissions allow. */
  readonly operations?: ReadonlySet<string> | undefined
  /** The one record that may be seen, by the name of its subject (a share link's dashboard); others answer as unknown ones. */
  readonly records?: ReadonlyMap<string, string> | undefined
  /** Conditions added to every report, in the input marked with `takesConditions` (a share link's segment). */
  readonly conditions?: readonly unknown[] | undefined
  /** Further limits of its reports. */
  readonly limits?: Limits | undefined
  /** Name in the audit log: an e-mail address, or the name of the program. */
  readonly actor: string
  /**
   * The member behind the credential; null for share links and probes. Such callers only read, and write only with
   * operations for their kind.
   */
  readonly member: Member | null
  /** Expiry of the credential, epoch ms, and its allowed addresses; tokens that the caller creates are never wider. */
  readonly expiresAt: number | null
  readonly allowedIps: readonly string[]
  readonly lastUsedAt: number | null
  /** The time of the sign-in, epoch ms; only set for sessions. */
  readonly provedAt?: number
  /** The method of that sign-in, for example `passkey`. */
  readonly provedBy?: string
  /**
   * The workspace whose identity provider signed the user in, or signed the maker of this token in. The credential reaches no
   * other workspace.
   */
  readonly signedInBy?: string
  /** The account itself is out of reach, because an identity provider signed the user in and the account has other credentials. */
  readonly withoutAccount?: true
  /** Records that the person uses this workspace. Set while they have not used it since another member added them. */
  recordFirstVisit?(db: Db): Promise<void>
  /** The same user in each of their workspaces, by workspace id: a session reaches all of them, a token only one. */
  readonly elsewhere?: ReadonlyMap<string, Caller>
}

export interface Member {
  readonly memberId: string
  readonly accountId: string
  readonly email: string
  /** Display name: the name, else the e-mail address. */
  readonly name: string
  readonly role: string
}

/** A caller who is a member; writes receive this type. */
export type MemberCaller = Caller & { readonly member: Member }

export const isMember = (caller: Caller): caller is MemberCaller => caller.member !== null

/** Why the caller may not do, or give to others, what takes all of these permissions; undefined if they may. */
export function lacks({ permissions }: Pick<Caller, 'permissions'>, needed: readonly Permission[]): string | undefined {
  const missing = needed.find(name => !permissions.has(name))
  return missing && `This needs the permission ${missing}.`
}

/**
 * Why the caller may not create a credential that neither expires nor is bound to addresses; undefined if they may. The caller's own
 * limits would not hold for it.
 */
export function bounds({ kind, expiresAt, allowedIps }: Pick<Caller, 'kind' | 'expiresAt' | 'allowedIps'>): Message | undefined {
  // The token of an OAuth client expires by itself, and is renewed.
  const isLasting = expiresAt === null || kind === 'oauth'
  return isLasting && allowedIps.length === 0 ? undefined : m.bound_token()
}

/** The caller with the rights in this workspace, if they are a member of it; otherwise unchanged. */
export const callerIn = (caller: Caller, workspaceId: string): Caller => caller.elsewhere?.get(workspaceId) ?? caller

/** Every workspace that the credential reaches; empty for a user who is a member of none. */
export const workspacesOf = ({ workspaceId, elsewhere }: Caller): string[] => [
  ...new Set([...(workspaceId === '' ? [] : [workspaceId]), ...(elsewhere?.keys() ?? [])]),
]

/** The caller at a group of sites: with the operations that take one, and those that are about no site. */
export function atGroup<C extends Caller>(caller: C, operations: Iterable<OfGroups>): C {
  const taken = new Set<string>()
  for (const { id, on, groups } of operations) {
    const isTaken = groups || on[0]?.name !== 'site'
    if (isTaken && caller.operations?.has(id) !== false) taken.add(id)
  }
  const elsewhere = caller.elsewhere && new Map([...caller.elsewhere].filter(([id]) => id !== caller.workspaceId))
  return { ...caller, operations: taken, elsewhere }
}
interface OfGroups {
  readonly id: string
  readonly on: readonly { readonly name: string }[]
  readonly groups: boolean
}

/**
 * Describes, as a text, everything of a caller that `missingPermission` depends on: callers with equal texts may call the same
 * operations.
 */
export function rightsOf({ permissions, siteIds, member, operations }: Caller): string {
  const texts = [[...permissions].join(), siteIds.length > 0, member === null ? '' : `member ${member.role}`]
  return operations ? `${texts.join(' ')} ${[...operations].join()}` : texts.join(' ')
}

/** Whether the caller may see a record of this workspace and, if it has one, of this site. */
export function maySee(caller: Caller, workspaceId: string, siteId: string | null): boolean {
  return caller.workspaceId === workspaceId && (siteId === null || caller.siteIds.length === 0 || caller.siteIds.includes(siteId))
}

/** Whether answers may be downloaded as files: not by callers who may see only some reports, unless they have the permission. */
export const mayDownload = ({ operations, permissions }: Caller): boolean => operations === undefined || permissions.has('analytics.export')

/** @param allowed addresses and CIDR ranges, already validated */
export function isAllowed(ip: string, allowed: readonly string[]): boolean {
  if (!ipaddr.isValid(ip)) return false
  const address = ipaddr.process(ip)
  return allowed.some(range => {
    const [base, bits] = parsedRange(range)
    return base.kind() === address.kind() && address.match(base, bits)
  })
}

/** Whether one of the allowed ranges contains all addresses of a range. */
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
