/** Resolves what an erasure is to delete: whole days, and the conditions of the visits on them. */
import { Type } from '@sinclair/typebox'
import { failWith, type Fault } from '../../../runtime/table/errors.ts'
import { fieldTerm, valueTerm } from '../../../runtime/texts/message.ts'
import type { Db } from '../../../storage/store.ts'
import type { TrafficRuleRow } from '../../../storage/tables/traffic-rules.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import { pastOf, pastRule } from '../../sites/traffic-rules/index.ts'
import { apply, type Calendar, type Engine, statsInput } from '../../reports/stats/index.ts'
import type { ErasureFound } from '../../../storage/engine/index.ts'
import { NEW_PERSON } from '../../../storage/engine/vocabulary/derived.ts'
import { type Condition, leavesOf } from '../../../storage/engine/vocabulary/scope.ts'
import { optional } from '../../../runtime/table/schema.ts'
import { m } from './messages.ts'
import type { ErasureSelection, ErasureScope } from './records.ts'
import { valueCondition } from './value-conditions.ts'

export const periodInput = { period: statsInput.period, from: statsInput.from, to: statsInput.to }
export const erasureInput = {
  ...periodInput,
  filters: statsInput.filters,
  segment_id: statsInput.segment_id,
  value: optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Only visits with this value in any property, or its MD5, SHA-1 or SHA-256 hash, for example an e-mail address.',
    }),
  ),
}

export interface ErasureInput {
  readonly period: string
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly filters?: unknown
  readonly segment_id?: string | undefined
  readonly value?: string | undefined
}

/** An erasure as it is asked for: the columns of its row, and what they mean. */
export interface Resolved {
  readonly row: ErasureSelection & { readonly scope: string }
  readonly scope: ErasureScope
  readonly calendar: Calendar | undefined
  /** Whether no property of the site has the value, so that no visit meets the conditions. */
  readonly isUnknown: boolean
}

interface ToResolve {
  readonly db: Db
  readonly site: LiveSite
  readonly now: number
  readonly input: ErasureInput
  /** The traffic rule to apply. */
  readonly rule?: TrafficRuleRow | undefined
  /** The input that names the rule. */
  readonly ruleAt?: string
}

/** @throws Failure 422 with every fault; `invalid_state` for a rule that tests what no stored hit has */
export async function resolveErasure({ db, site, now, input, rule, ruleAt = '/id' }: ToResolve): Promise<Resolved> {
  const wanted = { period: input.period, from: input.from, to: input.to, ...ofVisits(input) } as const
  const applied = await apply(db, site, now, { ...wanted, compare: 'none', interval: 'auto', match_weekday: false }, (_, conditions) => [
    ...wholeDays(input),
    ...byPerson(conditions),
  ])
  const { fromDay, toDay } = applied.range
  const given = Array.isArray(input.filters) ? (input.filters as unknown[]) : []
  const past = rule && (await pastRule(db, rule, now))
  const conditions = past && pastOf(past)
  if (conditions && 'fault' in conditions) failWith([{ pointer: ruleAt, code: 'mismatch', message: conditions.fault }])
  const withValue = input.value === undefined ? undefined : await valueCondition(db, site.number, input.value)
  const where = withValue ? [...applied.where, withValue] : applied.where
  const scope: ErasureScope =
    conditions && 'where' in conditions ? { ...conditions, goals: [] } : { where, hits: null, goals: applied.goals }
  return {
    scope,
    isUnknown: input.value !== undefined && withValue === undefined,
    calendar: applied.calendar,
    row: {
      from_day: fromDay,
      to_day: toDay,
      filters: JSON.stringify(given),
      segment_id: input.segment_id ?? null,
      rule: past ? JSON.stringify(past) : null,
      by_value: Number(input.value !== undefined),
      scope: JSON.stringify(scope),
    },
  }
}

const ofVisits = ({ filters, segment_id }: ErasureInput) => ({ filters, segment_id })

function wholeDays({ period }: ErasureInput): Fault[] {
  if (period !== '24h') return []
  return [{ pointer: '/period', code: 'not_in_enum', message: m.whole_days({ field: fieldTerm('period'), period: valueTerm(period) }) }]
}

/** The first visit of a person is another one once it is deleted, so that all of them would be, day by day. */
const byPerson = (conditions: readonly Condition[]): Fault[] =>
  conditions
    .flatMap(leavesOf)
    .filter(({ dimension }) => dimension === NEW_PERSON)
    .map(({ pointer, dimension }) => ({ pointer, code: 'mismatch', message: m.not_by_person({ field: fieldTerm(dimension) }) }))

interface Counting {
  readonly site: LiveSite
  readonly engine: Engine
  readonly now: number
}

/** Counts what an erasure would delete now. */
export async function countErasure({ site, engine, now }: Counting, { row, scope, calendar, isUnknown }: Resolved): Promise<ErasureFound> {
  const { from_day: fromDay, to_day: toDay } = row
  const { where, hits, goals } = scope
  const span = { from: 0, to: 0, fromDay, toDay, whole: true }
  const asked = { report: 'erasure', span, hits, before: now, withIds: false } as const
  const found = await engine.query({ site: site.number, where, goals, calendar, zone: site.timezone, asked })
  return isUnknown ? { ...found, visits: 0, emptied: 0, pageviews: 0, events: 0, revenue: 0, days: 0 } : found
}
