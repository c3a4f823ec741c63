/** Compiles the rules of a site, and finds the rule that decides about a hit. */
import ipaddr from 'ipaddr.js'
import type { TrafficRuleRow } from '../../../storage/tables/traffic-rules.ts'
import { composed } from '../../../storage/values/composed.ts'
import { inEitherForm } from '../../../storage/engine/vocabulary/idn.ts'
import { among } from '../../../runtime/table/schema.ts'
import { kinds, type Kind } from './records.ts'
import { wildcard } from './wildcard.ts'

/** The values of a hit that rules test. Missing texts are ''. */
export interface Facts {
  readonly ip: string
  readonly country: string
  readonly region: string
  /** `AS3320`. */
  readonly asn: string
  readonly networkKind: string
  /** Lower case, without `www.`. */
  readonly hostname: string
  readonly page: string
  /** Host and path of the referring page, without `www.`; '' for the site's own. */
  readonly referrer: string
  readonly userAgent: string
  /** Name of a custom event; '' for other hits. */
  readonly event: string
}

export type RuleToCompile = Pick<TrafficRuleRow, 'id' | 'kind' | 'action' | 'value' | 'expires_at'>

/** Returns the id of the rule that drops a hit; undefined if the hit is counted. */
export type Decide = (facts: Facts, now: number) => string | undefined

type Address = ipaddr.IPv4 | ipaddr.IPv6
/** @param address the parsed address, undefined if it is invalid */
type Matches = (facts: Facts, address: Address | undefined) => boolean
interface Rule {
  readonly id: string
  readonly endsAt: number
  readonly matches: Matches
}

/** Kinds of rules that also test hits without a value: an unknown place is in no list. Other kinds ignore such hits. */
const judgesMissing: ReadonlySet<Kind> = new Set(['ip', 'country', 'region'])

const valueOf: Readonly<Record<Kind, (facts: Facts) => string>> = {
  ip: facts => facts.ip,
  asn: facts => facts.asn,
  network_kind: facts => facts.networkKind,
  country: facts => facts.country,
  region: facts => facts.region,
  hostname: facts => facts.hostname,
  page: facts => facts.page,
  referrer: facts => facts.referrer,
  user_agent: facts => facts.userAgent,
  event: facts => facts.event,
}

const matchers: Readonly<Record<Kind, (value: string) => Matches>> = {
  ip: inRange,
  asn: value => facts => facts.asn === value,
  network_kind: value => facts => facts.networkKind === value,
  country: value => facts => facts.country === value,
  region: value => facts => facts.region.toUpperCase() === value,
  hostname: value => {
    const matches = inEitherForm(wildcard(composed(value)))
    return facts => matches(facts.hostname)
  },
  page: value => on(value, facts => facts.page),
  referrer: value => {
    const matches = inEitherForm(wildcard(composed(value)))
    return facts => {
      const referrer = facts.referrer.toLowerCase()
      return matches(referrer) || matches(referrer.split('/', 1)[0] ?? '')
    }
  },
  user_agent: value => on(value, facts => facts.userAgent.toLowerCase()),
  event: value => on(value, facts => facts.event),
}

function on(value: string, of: (facts: Facts) => string): Matches {
  const matches = wildcard(composed(value))
  return facts => matches(of(facts))
}

function inRange(value: string): Matches {
  const range: [Address, number] = value.includes('/') ? ipaddr.parseCIDR(value) : [ipaddr.parse(value), value.includes(':') ? 128 : 32]
  return (_, address) => address !== undefined && address.kind() === range[0].kind() && address.match(range)
}

/**
 * Within a kind, a matching blocking rule decides. If there are allowing rules and none of them matches, the first
 * of them decides. Kinds are tested in the order of `kinds`.
 * @param rules enabled rules, oldest first
 */
export function compileRules(rules: readonly RuleToCompile[]): Decide {
  const compiled = kinds.flatMap(kind => {
    const of = (action: string) => rules.filter(rule => rule.kind === kind && rule.action === action).map(compiledRule)
    const [blocking, allowing] = [of('block'), of('allow')]
    return blocking.length + allowing.length === 0 ? [] : [{ kind, blocking, allowing }]
  })
  const testsAddress = compiled.some(({ kind }) => kind === 'ip')
  return (facts, now) => {
    const address = testsAddress && ipaddr.isValid(facts.ip) ? ipaddr.process(facts.ip) : undefined
    for (const { kind, blocking, allowing } of compiled) {
      if (valueOf[kind](facts) === '' && !judgesMissing.has(kind)) continue
      const isMet = ({ endsAt, matches }: Rule) => endsAt > now && matches(facts, address)
      const blocked = blocking.find(isMet)
      if (blocked) return blocked.id
      const inForce = allowing.find(({ endsAt }) => endsAt > now)
      if (inForce && !allowing.some(isMet)) return inForce.id
    }
    return undefined
  }
}

const compiledRule = ({ id, kind, value, expires_at }: RuleToCompile): Rule => ({
  id,
  endsAt: expires_at ?? Infinity,
  matches: matchers[among(kinds, kind)](value),
})
