/**
 * Describes the stored hits that a rule would have dropped, as conditions of the engine. A stored visit has no address and no user
 * agent, and has the place, network and referrer of its first hit.
 */
import type { Message } from '../../../runtime/texts/message.ts'
import { among } from '../../../runtime/table/schema.ts'
import type { Condition, Test } from '../../../storage/engine/vocabulary/scope.ts'
import type { Db } from '../../../storage/store.ts'
import type { TrafficRuleRow } from '../../../storage/tables/traffic-rules.ts'
import { compileRules, type Facts } from './compile.ts'
import { type Action, actions, type Kind, kinds } from './records.ts'
import { m } from './messages.ts'

export interface PastRule {
  readonly kind: Kind
  readonly action: Action
  readonly value: string
  /** Values of all rules of this kind that allow hits: hits that match none of them are dropped. */
  readonly allowed: readonly string[]
}

/** Conditions of visits, and of their hits that are dropped; null: whole visits. */
export interface PastConditions {
  readonly where: readonly Condition[]
  readonly hits: readonly Condition[] | null
}

const test = (dimension: string, operator: Test['operator'], values: readonly string[]): Test => ({
  dimension,
  operator,
  values,
  pointer: '',
})

interface Past {
  readonly dimension: string
  readonly of: 'hits' | 'visits'
  /** Pattern of RE2; undefined if values are compared as they are. */
  readonly pattern?: (value: string) => string
  /** Whether hits without a value are dropped, too, by rules that allow others. */
  readonly judgesMissing?: true
}

const escaped = (text: string): string => text.replace(/[\\.+?()|[\]{}^$]/g, '\\$&')
const anyText = (value: string, stars = '.*'): string => value.split('*').map(escaped).join(stars)
const whole = (value: string): string => `(?s)^${anyText(value)}$`

/** Kinds whose values are stored; others cannot be applied to the past. */
const pasts: Readonly<Partial<Record<Kind, Past>>> = {
  network_kind: { dimension: 'network_kind', of: 'visits' },
  country: { dimension: 'country', of: 'visits', judgesMissing: true },
  region: { dimension: 'region', of: 'visits', pattern: value => `(?i)^${escaped(value)}$`, judgesMissing: true },
  hostname: { dimension: 'hostname', of: 'hits', pattern: whole },
  page: { dimension: 'page', of: 'hits', pattern: whole },
  // The pattern matches the host, or the host and the path.
  referrer: {
    dimension: 'referrer',
    of: 'visits',
    pattern: value => `(?is)^(${anyText(value)}|${anyText(value, '[^/]*')}/.*)$`,
  },
  event: { dimension: 'event', of: 'hits', pattern: whole },
}

export function pastOf({ kind, action, value, allowed }: PastRule): PastConditions | { readonly fault: Message } {
  const past = pasts[kind]
  if (!past) return { fault: kind === 'asn' ? m.past_without_asn() : kind === 'ip' ? m.past_without_ip() : m.past_without_user_agent() }
  const { dimension, of, pattern, judgesMissing } = past
  const testOf = (text: string, isNegated: boolean): Test =>
    pattern
      ? test(dimension, isNegated ? 'not_regex' : 'regex', [pattern(text)])
      : test(dimension, isNegated ? 'none_of' : 'any_of', [text])
  // A pageview has no event, and rules on events ignore it.
  const withValue: Test[] = judgesMissing ? [] : dimension === 'event' ? [test('event', 'regex', [''])] : [test(dimension, 'is_not', [''])]
  const conditions = action === 'block' ? [testOf(value, false)] : [...withValue, ...allowed.map(each => testOf(each, true))]
  return of === 'hits' ? { where: [{ all: conditions }], hits: conditions } : { where: conditions, hits: null }
}

/** Tests single hits, with the code that tests new ones. */
export function dropsOf({ kind, action, value, allowed }: PastRule): (hit: { page: string; host: string; event: string }) => boolean {
  const values = action === 'block' ? [value] : allowed
  const decide = compileRules(values.map(each => ({ id: each, kind, action, value: each, expires_at: null })))
  return ({ page, host, event }) => decide({ ...noFacts, page, hostname: host, event }, 0) !== undefined
}

const noFacts: Facts = Object.freeze({
  ...{ ip: '', country: '', region: '', asn: '', networkKind: '', hostname: '' },
  ...{ page: '', referrer: '', userAgent: '', event: '' },
})

/** A stored rule as it is applied to the past. */
export async function pastRule(
  db: Db,
  { id, site_id, kind, action, value }: Pick<TrafficRuleRow, 'id' | 'site_id' | 'kind' | 'action' | 'value'>,
  now: number,
): Promise<PastRule & { readonly id: string }> {
  const rule = { id, kind: among(kinds, kind), action: among(actions, action), value }
  if (rule.action === 'block') return { ...rule, allowed: [] }
  const others = await db
    .selectFrom('traffic_rules')
    .select('value')
    .where('site_id', '=', site_id)
    .where('kind', '=', kind)
    .where('action', '=', 'allow')
    .where('enabled', '=', 1)
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .execute()
  return { ...rule, allowed: [...new Set([value, ...others.map(other => other.value)])] }
}
