/** A goal is a pageview or custom event that a visit may complete. */
import { Type } from '@sinclair/typebox'
import { among, DateTime, iso, Nullable, OneOf, record, type Static, help } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { GoalRow } from '../../../storage/tables/index.ts'
import { idKind } from '../../../runtime/values/ids.ts'
import { slot } from '../../../runtime/ui/slot.ts'
import { LIMITS } from '../collection/index.ts'
import { ofSite } from '../sites/records.ts'

export const ids = { goal: idKind('goal_') }

export const kinds = ['page', 'event'] as const
export type Kind = (typeof kinds)[number]

/** The fields of the condition; which of them a kind uses is in condition.ts. */
export const completion = {
  kind: OneOf(kinds, { description: '`page`: a pageview of a page; `event`: a custom event.' }),
  path: Nullable(Type.String({ pattern: '^/', maxLength: LIMITS.value }), {
    description: 'For page goals: the path, for example `/thanks`. `*` matches any text within one segment, `**` any text.',
  }),
  event: Nullable(Type.String({ minLength: 1, maxLength: 120 }), {
    description: 'For event goals: name of the custom event, as it is sent.',
  }),
  property: Nullable(Type.String({ minLength: 1, maxLength: 300 }), {
    description: 'Only with this property.',
  }),
  value: Nullable(Type.String({ minLength: 1, maxLength: LIMITS.value }), {
    description: 'Only with this value of the property; null: with any.',
    [help]: 'Only with this value of the property; empty: with any.',
  }),
}

export const Goal = record(
  'Goal',
  {
    id: Type.String({ description: 'Prefix `goal_`.' }),
    site_id: Type.String({ description: 'Site it belongs to.' }),
    name: Type.String({ description: 'Name shown in reports; unique in the site.' }),
    ...completion,
    created_at: DateTime({ description: 'When it was made.' }),
    updated_at: DateTime({ description: 'When it was last changed.' }),
  },
  'A goal: a page or event of a site that counts as a conversion.',
)

/** Conversions of the last 30 days. */
export interface GoalFigures {
  readonly conversions: number
  readonly visitors: number
  /** Percent of all visitors. */
  readonly conversionRate: number
  /** Change of the conversions since the 30 days before, in percent; null if there were none, undefined if nothing is compared. */
  readonly change: number | null | undefined
  /** Address of the report about these visitors. */
  readonly href: string | undefined
}
/** What the reports add to pages of goals: figures by the id of the goal, and a chart. */
export const goalFigures = slot<{ readonly goals: readonly Static<typeof Goal>[] }, ReadonlyMap<string, GoalFigures>>('figures of goals')
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
