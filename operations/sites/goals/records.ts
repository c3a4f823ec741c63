/** A goal is a page or custom event that counts as a conversion. */
import { Type } from '@sinclair/typebox'
import { brief, among, DateTime, iso, Nullable, OneOf, record, type Static, help } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { GoalRow } from '../../../storage/tables/index.ts'
import { idKind } from '../../../runtime/values/ids.ts'
import { slot } from '../../../runtime/ui/slot.ts'
import { LIMITS } from '../collection/index.ts'
import { ofSite } from '../sites/records.ts'

export const ids = { goal: idKind('goal_') }

export const kinds = ['page', 'event'] as const
export type Kind = (typeof kinds)[number]

/** The fields of the condition. condition.ts says which of them a kind uses. */
export const completion = {
  kind: OneOf(kinds, {
    description: 'Kind of goal: `page` for a pageview, `event` for a custom event.',
    [brief]: { description: 'page: a pageview.' },
  }),
  path: Nullable(Type.String({ pattern: '^/', maxLength: LIMITS.value }), {
    description: 'For page goals: the path, for example `/thanks`. `*` matches any text within one segment, `**` any text.',
    [brief]: { description: 'For page: `/thanks`; `*` is any text in a segment, `**` any text.' },
  }),
  event: Nullable(Type.String({ minLength: 1, maxLength: 120 }), {
    description: 'For event goals: name of the custom event, as the site sends it.',
    [brief]: { description: 'For event: its name, as the site sends it.' },
  }),
  property: Nullable(Type.String({ minLength: 1, maxLength: 300 }), {
    description: 'Counts only hits that carry this property.',
    [brief]: { description: 'Only hits that carry it.' },
  }),
  value: Nullable(Type.String({ minLength: 1, maxLength: LIMITS.value }), {
    description: 'Counts only hits with this value of the property. Null: any value.',
    [help]: 'Counts only hits with this value of the property. Empty: any value.',
    [brief]: { description: 'Only hits with this value of it.' },
  }),
}

export const Goal = record(
  'Goal',
  {
    id: Type.String({ description: 'Prefix `goal_`.' }),
    site_id: Type.String({ description: 'Site of the goal.' }),
    name: Type.String({ description: 'Name in reports, unique within the site.' }),
    ...completion,
    created_at: DateTime({ description: 'When the goal was created.' }),
    updated_at: DateTime({ description: 'When the goal was last changed.' }),
  },
  'A goal: a page or event of a site that counts as a conversion.',
)

/** Conversions of the last 30 days. */
export interface GoalFigures {
  readonly conversions: number
  readonly visitors: number
  /** Percent of all visitors. */
  readonly conversionRate: number
  /** Change of the conversions from the 30 days before, in percent; null if there were none, undefined without a comparison. */
  readonly change: number | null | undefined
  /** URL of the report on these visitors. */
  readonly href: string | undefined
}
/** Additions of the reports to pages of goals: figures by the id of the goal, and a chart. */
export const goalFigures = slot<{ readonly goals: readonly Static<typeof Goal>[] }, ReadonlyMap<string, GoalFigures>>('figures of goals')
/** How often a goal would have been reached lately, before it is saved. */
export const goalPreview = slot<{ readonly siteId: string; readonly given: Readonly<Record<string, unknown>> }>('preview of a goal')
export const goalChart = slot<{ readonly goal: Static<typeof Goal> }>('chart of a goal')

export const goal = subject<'goal', GoalRow>({ name: 'goal', table: 'goals', find: ofSite('goals') })

export function toGoal(row: GoalRow): Static<typeof Goal> {
  return {
    id: row.id,
    site_id: row.site_id,
    name: row.name,
    kind: among(kinds, row.kind),
    path: row.path,
    event: row.event,
    property: row.property,
    value: row.value,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}
