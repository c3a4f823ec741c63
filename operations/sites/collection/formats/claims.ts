/** Claims of a server-side sender: the visitor's address and the time of the hit. */
import { addressIn } from '../../../../runtime/outbound/network.ts'
import { LIMITS, type SentHit } from '../hit.ts'
import { addFault, type Faults } from './faults.ts'
import { text } from './text.ts'

const ISO = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/
/** Smaller numbers are seconds (until the year 5138), larger ones milliseconds (since 1973). */
const FIRST_MILLISECONDS = 1e11
/** The last instant of a four-digit year. */
const LAST = Date.UTC(9999, 11, 31)

interface SentClaims {
  readonly ip: unknown
  readonly userAgent: unknown
  readonly timestamp: unknown
}

/** Reads the claims. An invalid claim is a fault, because a hit at a wrong time would be worse than none. */
export function claimsOf(sent: SentClaims, faults: Faults): SentHit['claimed'] {
  return {
    ip: claim({ sent: sent.ip, read: ipOf, field: 'ip', rule: 'must be an IPv4 or IPv6 address', faults }),
    userAgent: text(sent.userAgent, LIMITS.userAgent) || null,
    at: claim({
      sent: sent.timestamp,
      read: claimedTime,
      field: 'timestamp',
      rule: 'must be ISO 8601, or epoch seconds or milliseconds',
      faults,
    }),
  }
}

function claim<T>({
  sent,
  read,
  field,
  rule,
  faults,
}: {
  sent: unknown
  read: (sent: unknown) => T | null
  field: string
  rule: string
  faults: Faults
}): T | null {
  if (sent === undefined || sent === null || sent === '') return null
  const claimed = read(sent)
  if (claimed === null) addFault(faults, field, rule)
  return claimed
}

/** The one spelling of an address, because the spelling of a claim must not make two visitors of one. */
function ipOf(sent: unknown): string | null {
  return typeof sent === 'string' ? (addressIn(sent.trim()) ?? null) : null
}

/** Epoch milliseconds; null if it is not a time. */
export function claimedTime(sent: unknown): number | null {
  if (typeof sent === 'number') return instantOf(sent < FIRST_MILLISECONDS ? sent * 1000 : sent)
  if (typeof sent !== 'string') return null
  const [iso, clock, offset] = ISO.exec(sent) ?? []
  // Without an offset, the time is UTC, whatever the machine's zone (ECMA-262 would read it as local time).
  if (iso) return instantOf(Date.parse(clock && !offset ? `${sent}Z` : sent))
  return /^\d{1,16}(\.\d+)?$/.test(sent) ? claimedTime(Number(sent)) : null
}

function instantOf(ms: number): number | null {
  return ms >= 0 && ms <= LAST ? Math.round(ms) : null
}
