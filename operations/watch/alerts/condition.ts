/** For each kind of alert: its required fields, its defaults, and the fields it does not use. */
import type { Fault } from '../../../runtime/table/errors.ts'
import { fieldTerm, type Message, type Term, valueTerm } from '../../../runtime/texts/message.ts'
import type { AlertRow } from '../../../storage/tables/index.ts'
import { m } from './messages.ts'

export type Kind = AlertRow['kind']
export type Metric = NonNullable<AlertRow['metric']>
export type Operator = NonNullable<AlertRow['operator']>

const traffic = ['visitors', 'visits', 'pageviews', 'bounce_rate', 'conversion'] as const satisfies Metric[]
const vitalMetrics = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const satisfies Metric[]
export const metrics: readonly Metric[] = [...traffic, ...vitalMetrics]
export const operators = ['gt', 'gte', 'lt', 'lte'] as const satisfies Operator[]

/** A field that a kind uses: required, unless it has a default. With the default null it may stay empty. */
interface Slot<V> {
  readonly of?: readonly V[]
  readonly min?: number
  readonly max?: number
  readonly default?: V | null
}
interface Rule {
  readonly site_id?: Slot<string>
  readonly metric?: Slot<Metric>
  readonly operator?: Slot<Operator>
  readonly threshold?: Slot<number>
  readonly goal_id?: Slot<string>
  readonly uptime_check_id?: Slot<string>
}
export type Condition = Pick<AlertRow, keyof Rule>

const site_id: Slot<string> = {}
const goal_id: Slot<string> = {}
const uptime_check_id: Slot<string> = { default: null }
const operator = (assumed?: Operator): Slot<Operator> => ({ of: operators, ...(assumed && { default: assumed }) })

/** Fields and defaults of each kind: docs/decisions.md §4. */
const rules: Readonly<Record<Kind, Rule>> = {
  threshold: { site_id, metric: { of: traffic }, operator: operator(), threshold: {} },
  anomaly: { site_id, metric: { of: traffic, default: 'visitors' }, operator: { of: ['lt', 'gt'], default: null } },
  goal: { site_id, goal_id, operator: operator('gte'), threshold: { default: 1 } },
  no_data: { site_id, threshold: { min: 0.1, max: 8_760, default: 24 } },
  usage: { operator: operator('gte'), threshold: { max: 1_000, default: 80 } },
  uptime: { site_id, uptime_check_id },
  ssl: { site_id, uptime_check_id, operator: operator('lte'), threshold: { max: 3_650, default: 14 } },
  vitals: { site_id, metric: { of: vitalMetrics }, operator: operator('gt'), threshold: {} },
}
export const kinds = Object.keys(rules) as Kind[]

/** Metrics that a kind can watch. */
export const metricsOf = (kind: Kind): readonly Metric[] => rules[kind].metric?.of ?? []

/** Kinds that use a field. Kinds with a metric also use the goal, for conversion. */
export const kindsWith = (field: keyof Rule): Kind[] =>
  kinds.filter(kind => rules[kind][field] ?? (field === 'goal_id' && rules[kind].metric?.of?.includes('conversion')))

const percentages: ReadonlySet<Metric | null> = new Set<Metric>(['bounce_rate', 'conversion'])

export type ConditionInput = { readonly [K in keyof Condition]?: Condition[K] | '' | undefined }

/**
 * The condition of a new or changed alert, and every fault of the input. A field that is left out keeps its value; null
 * resets it to the default. When the kind changes, only the site is kept.
 */
export function resolveCondition(kind: Kind, given: ConditionInput, before?: AlertRow): { condition: Condition; faults: Fault[] } {
  const faults: Fault[] = []
  const rule = rules[kind]
  const kept: Partial<Condition> = before?.kind === kind ? before : { site_id: before?.site_id ?? null }
  const pick = <V extends string | number>({
    field,
    slot,
    value,
    was = null,
  }: {
    field: keyof Condition
    slot: Slot<V> | undefined
    value: V | '' | null | undefined
    was?: V | null | undefined
  }): V | null => {
    const left = slot ? was : null // fields the condition no longer uses are dropped silently
    const chosen = value === undefined ? left : value === '' ? null : value
    const place = { field: fieldTerm(field), kind: valueTerm(kind), received: String(chosen).slice(0, 64) }
    const [code, message] = misfit(slot, chosen, place) ?? []
    if (code === undefined || message === undefined) return chosen ?? slot?.default ?? null
    faults.push({ pointer: `/${field}`, code, message })
    return null
  }

  const metric = pick({ field: 'metric', slot: rule.metric, value: given.metric, was: kept.metric })
  const threshold = rule.threshold && percentages.has(metric) ? { ...rule.threshold, max: 100 } : rule.threshold
  const goal = metric === 'conversion' ? goal_id : rule.goal_id
  return {
    condition: {
      site_id: pick({ field: 'site_id', slot: rule.site_id, value: given.site_id, was: kept.site_id }),
      metric,
      operator: pick({ field: 'operator', slot: rule.operator, value: given.operator, was: kept.operator }),
      threshold: pick({ field: 'threshold', slot: threshold, value: given.threshold, was: kept.threshold }),
      goal_id: pick({ field: 'goal_id', slot: goal, value: given.goal_id, was: kept.goal_id }),
      uptime_check_id: pick({
        field: 'uptime_check_id',
        slot: rule.uptime_check_id,
        value: given.uptime_check_id,
        was: kept.uptime_check_id,
      }),
    },
    faults,
  }
}

interface Place {
  readonly field: Term
  readonly kind: Term
  readonly received: string
}

/** The fault code and the accepted values if a value does not fit; undefined if it does. */
function misfit<V>(slot: Slot<V> | undefined, value: V | null, place: Place): readonly [Fault['code'], Message] | undefined {
  if (!slot) return value === null ? undefined : ['mismatch', m.field_not_used(place)]
  if (value === null) return slot.default === undefined ? ['required', m.field_required(place)] : undefined
  if (slot.of && !slot.of.includes(value))
    return ['not_in_enum', m.not_one_of({ ...place, values: slot.of.map(each => valueTerm(String(each))) })]
  const { min = -Infinity, max = Infinity } = slot
  if (typeof value === 'number' && value < min) return ['too_small', m.too_small({ ...place, least: min })]
  if (typeof value === 'number' && value > max) return ['too_large', m.too_large({ ...place, most: max })]
  return undefined
}

const watched = [
  'kind',
  'site_id',
  'metric',
  'operator',
  'threshold',
  'goal_id',
  'uptime_check_id',
  'window_minutes',
  'sensitivity',
] as const satisfies (keyof AlertRow)[]

/** Whether the two alerts watch different conditions. */
export function watchesOther(before: AlertRow, after: AlertRow): boolean {
  return watched.some(field => before[field] !== after[field])
}
