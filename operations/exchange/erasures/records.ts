/** An erasure deletes visits of the past that meet conditions, or hits that a traffic rule would have dropped. */
import { Type } from '@sinclair/typebox'
import { CalendarDay, DateTime, iso, Nullable, OneOf, record, type Static } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import { idKind } from '../../../runtime/values/ids.ts'
import { dateOf } from '../../../storage/calendar/zones.ts'
import type { Condition, Goal } from '../../../storage/engine/vocabulary/scope.ts'
import type { VisitErasureRow } from '../../../storage/tables/index.ts'
import { ofSite } from '../../sites/sites/records.ts'
import { type Kind, kinds } from '../../sites/traffic-rules/records.ts'

export const ids = { visit_erasure: idKind('vis_') }

const count = (description: string) => Type.Integer({ unit: 'count', description })

/** The period and the conditions, as they are shown. */
const asked = {
  from: CalendarDay({ description: 'First day, in the time zone of the site.' }),
  to: CalendarDay({ description: 'Last day, inclusive.' }),
  filters: Type.Array(Type.Unknown(), { description: 'Conditions of the visits; empty: all visits of the period.' }),
  segment_id: Nullable(Type.String(), { description: 'Segment whose conditions also apply.' }),
  by_value: Type.Boolean({ description: 'Whether only visits with a certain value of a property are erased. The value is not kept.' }),
  traffic_rule: Nullable(
    Type.Object({
      id: Type.String({ description: 'Id of the rule.' }),
      kind: OneOf(kinds, { description: 'Value of a hit that the rule tests.' }),
      value: Type.String({ description: 'Value of the rule.' }),
    }),
    { description: 'Traffic rule that is applied to the past; null if visits are erased by conditions.' },
  ),
}

export const ErasurePreview = record(
  'ErasurePreview',
  {
    ...asked,
    visits: count('Visits that lose hits.'),
    whole_visits: count('Visits that lose all of their hits, and so disappear.'),
    pageviews: count('Pageviews that would be deleted.'),
    events: count('Custom events that would be deleted.'),
    revenue: Type.Integer({ unit: 'minor_units', description: 'Revenue of the deleted hits, in minor units of the currency of the site.' }),
    days: Type.Integer({ unit: 'days', description: 'Days with such visits.' }),
    share: Type.Number({ unit: 'percent', description: 'Visits that lose hits, of all visits of the period.' }),
    all_visits: count('All visits of the period.'),
    imported_days: Type.Integer({ unit: 'days', description: 'Days of the period with imported totals, which stay as they are.' }),
  },
  'The visits and hits that an erasure would delete.',
)

export const VisitErasure = record(
  'VisitErasure',
  {
    id: Type.String({ description: 'Prefix `vis_`.' }),
    site_id: Type.String({ description: 'The site.' }),
    state: OneOf(['running', 'finished'], { description: 'Whether hits are still being deleted.' }),
    progress: Type.Integer({ unit: 'percent', description: 'Percent of the days that were searched.' }),
    ...asked,
    visits: count('Visits erased so far, in full or in part.'),
    pageviews: count('Pageviews deleted so far.'),
    events: count('Custom events deleted so far.'),
    revenue: Type.Integer({ unit: 'minor_units', description: 'Revenue of the deleted hits, in minor units of the currency of the site.' }),
    requested_at: DateTime({ description: 'When the erasure was requested. Visits that began later stay.' }),
    finished_at: Nullable(DateTime(), { description: 'When the last hit was deleted.' }),
  },
  'The erasure of visits.',
)

export const visitErasure = subject<'visit_erasure', VisitErasureRow>({
  name: 'visit_erasure',
  calledBy: null,
  table: 'visit_erasures',
  find: ofSite('visit_erasures'),
})

/** The rule of an erasure, as it is stored. */
export interface AppliedRule {
  readonly id: string
  readonly kind: Kind
  readonly value: string
  readonly action: 'block' | 'allow'
  /** Values of all rules of this kind that allow hits. */
  readonly allowed: readonly string[]
}

/** Conditions, as they are stored. */
export interface ErasureScope {
  readonly where: readonly Condition[]
  /** Only hits that meet these are deleted; null: whole visits. */
  readonly hits: readonly Condition[] | null
  readonly goals: readonly Goal[]
}

export type ErasureSelection = Pick<VisitErasureRow, 'from_day' | 'to_day' | 'filters' | 'segment_id' | 'rule' | 'by_value'>

export function shownOf({ from_day, to_day, filters, segment_id, rule, by_value }: ErasureSelection) {
  const applied = rule === null ? null : (JSON.parse(rule) as AppliedRule) // written by the operations
  return {
    from: dateOf(from_day),
    to: dateOf(to_day),
    filters: JSON.parse(filters) as unknown[], // written by the operations
    segment_id,
    by_value: by_value === 1,
    traffic_rule: applied && { id: applied.id, kind: applied.kind, value: applied.value },
  }
}

export const toVisitErasure = (row: VisitErasureRow): Static<typeof VisitErasure> => ({
  id: row.id,
  site_id: row.site_id,
  state: row.finished_at === null ? 'running' : 'finished',
  progress: row.progress,
  ...shownOf(row),
  visits: row.visits,
  pageviews: row.pageviews,
  events: row.events,
  revenue: row.revenue,
  requested_at: iso(row.requested_at),
  finished_at: iso(row.finished_at),
})
