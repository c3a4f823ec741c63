/** Decides whether a hit is counted, or why it is dropped: bots, spam, and the traffic rules of its site. */
import { isBot } from '../crawlers/index.ts'
import { type Facts, isSpamReferrer, type SiteTraffic, type SpamReferrers } from '../traffic-rules/index.ts'
import { isAutomated } from './enrich/client-hints.ts'
import type { Origin } from './enrich/enriched.ts'
import type { Place } from './enrich/geo.ts'
import { referrerOf } from './enrich/referrer.ts'
import { parseUserAgent } from './enrich/user-agent.ts'
import type { SentHit } from './hit.ts'
import type { NetworkOf } from './networks/networks.ts'

/** The fields of a hit that decide whether it is kept. */
export type Judged = Pick<SentHit, 'hostname' | 'page' | 'referrer' | 'name'>
export interface JudgedOrigin extends Origin {
  /** Whether it sends for visitors with a token. Then its own headers say nothing about them. */
  readonly isServer: boolean
  /** Whether the address is a server's own, because it names no visitor. */
  readonly isOwnAddress?: boolean
}

/** @property rule id of the traffic rule that decided */
export type KeptOut = { readonly reason: 'bot' | 'spam_referrer' | 'traffic_rule'; readonly rule?: string }
interface Arriving {
  readonly traffic: SiteTraffic
  readonly origin: JudgedOrigin
  /** Called only if a rule needs it. */
  readonly placeOf: (ip: string) => Place
  readonly networkOf: NetworkOf
  readonly now: number
}
/** Undefined if the hit is counted. */
export type Admission = (hit: Judged, arriving: Arriving) => KeptOut | undefined

export function admission(spam: SpamReferrers): Admission {
  return (hit, { traffic: { bots, spamReferrers, decide }, origin, placeOf, networkOf, now }) => {
    if (bots !== 'off' && (isBot(origin.userAgent) || isAutomated(origin.hints ?? ''))) return { reason: 'bot' }
    if (bots === 'strict' && (isDoubtful(origin) || isHosted(origin, networkOf))) return { reason: 'bot' }
    const isJudged = hit.referrer !== '' && (spamReferrers || decide !== undefined)
    const referrer = isJudged ? referrerOf(hit.referrer, hit.hostname) : null
    if (spamReferrers && referrer && isSpamReferrer(spam, referrer.host)) return { reason: 'spam_referrer' }
    if (!decide) return undefined
    const { country, region } = placeOf(origin.ip)
    const { asn, network_kind } = networkOf(origin.ip)
    const facts: Facts = {
      ip: origin.ip,
      country,
      region,
      asn: asn === 0 ? '' : `AS${asn}`,
      networkKind: network_kind,
      hostname: hit.hostname,
      page: hit.page,
      referrer: referrer?.page ?? '',
      userAgent: origin.userAgent,
      event: hit.name,
    }
    const rule = decide(facts, now)
    return rule === undefined ? undefined : { reason: 'traffic_rule', rule }
  }
}

/** Whether the visitor's address belongs to servers. */
const isHosted = ({ ip, isOwnAddress = false }: JudgedOrigin, networkOf: NetworkOf): boolean =>
  !isOwnAddress && networkOf(ip).network_kind === 'hosting'

/** Whether the browser looks automated: a person's browser names itself and its system, and sends languages. */
function isDoubtful({ userAgent, acceptLanguage, isServer }: JudgedOrigin): boolean {
  const { browser, os } = parseUserAgent(userAgent)
  return browser === '' || os === '' || (!isServer && acceptLanguage === '')
}
