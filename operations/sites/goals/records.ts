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

export const kinds = ['page', 'event', 'scroll', 'duration', 'click'] as const
export type Kind = (typeof kinds)[number]
/** Kinds that are a single hit, which a step of a funnel may also be without a goal. */
export const hitKinds = ['page', 'event'] as const

export const MAX_EVENT_LENGTH = 120
/** Reports test the patterns of all goals at once, so each has to be small. */
export const MAX_STATES = 1_000
const MAX_PROPERTIES = 5
const DAY_SECONDS = 86_400

/** The fields of a hit that a goal or a step of a funnel requires. condition.ts says which of them a kind uses. */
export const completion = {
  kind: OneOf(hitKinds, {
    description: '`page` for a pageview, `event` for a custom event.',
    [brief]: { description: 'page: a pageview.' },
  }),
  path: Nullable(Type.String({ pattern: '^/', maxLength: LIMITS.value }), {
    description: 'For page goals: the path, for example `/thanks`. `*` matches any text within one segment, `**` any text.',
    [brief]: { description: 'For page: `/thanks`; `*` is any text in a segment, `**` any text.' },
  }),
  event: Nullable(Type.String({ minLength: 1, maxLength: MAX_EVENT_LENGTH }), {
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

/** Completion of a goal: fields of `completion`, with the kinds and fields that only goals have. */
export const goalCompletion = {
  ...completion,
  kind: OneOf(kinds, {
    description:
      'Kind of goal: `page` for a pageview, `event` for a custom event, `scroll` for how far a page was read, `duration` for how long a page was looked at or a visit lasted, `click` for a click on an element.',
    [brief]: { description: 'page: a pageview.' },
  }),
  path: Nullable(Type.String({ pattern: '^/', maxLength: LIMITS.value }), {
    description:
      'The path of the page, for example `/thanks`. `*` matches any text within one segment, `**` any text. Required for `page`, unless there is a `regex`. Without both, `scroll` counts every page, and `duration` the visit.',
    [help]: 'The path of the page, for example /thanks. * matches any text within one part, ** any text.',
    [brief]: { description: '`/thanks`; `*` is any text in a segment, `**` any text.' },
  }),
  regex: Nullable(Type.String({ minLength: 1, maxLength: 500 }), {
    description: 'RE2 pattern that matches the path somewhere, instead of `path`.',
    [help]: 'A regular expression that matches the path somewhere, instead of a path.',
    [brief]: { description: 'RE2, instead of path.' },
  }),
  event: Nullable(Type.String({ minLength: 1, maxLength: MAX_EVENT_LENGTH }), {
    description:
      'For `event`: name of the custom event, as the site sends it. For `click`: the event that the script sends; defaults to `Click: ` and the selector.',
    [brief]: { description: 'For event: its name, as the site sends it.' },
  }),
  depth: Nullable(Type.Integer({ minimum: 1, maximum: 100 }), {
    unit: 'percent',
    description: 'For `scroll`: percent of the page that the visitor saw at least.',
    [brief]: { description: 'For scroll: percent.' },
  }),
  duration_seconds: Nullable(Type.Integer({ minimum: 1, maximum: DAY_SECONDS }), {
    unit: 'seconds',
    description:
      'For `duration`: seconds that a view of the page was looked at, or without a page, that the visit lasted (`visit_duration`).',
    [brief]: { description: 'For duration, of the page or else the visit.' },
  }),
  selector: Nullable(Type.String({ minLength: 1, maxLength: 200, pattern: '^[^{}<;\\u0000-\\u001f]+$' }), {
    description:
      'For `click`: CSS selector of the elements, for example `.hero a`. The script of the site (`tracking_snippet`) contains it and sends `event`, from up to ten minutes after a change on.',
    [help]: 'CSS selector of the elements, for example .hero a. The script of the site contains it, so anyone can read it.',
    [brief]: { description: 'For click: CSS.' },
  }),
  properties: Type.Array(
    Type.Object(
      {
        property: Type.String({ minLength: 1, maxLength: 300, description: 'Key of the property.' }),
        value: Nullable(Type.String({ minLength: 1, maxLength: LIMITS.value }), { description: 'Value of the property; null: any.' }),
      },
      { additionalProperties: false, description: 'A property that the hit carries.' },
    ),
    {
      maxItems: MAX_PROPERTIES,
      description: `Further properties that the same hit carries, at most ${MAX_PROPERTIES}. A value of null is any.`,
      [help]: 'Further properties that the same hit carries. Without a value: any value.',
      [brief]: { description: '[{"property": "plan", "value": null}]', items: { type: 'object' } },
    },
  ),
}

/** The worth of a completion. */
export const worth = {
  value_amount: Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000 }), {
    unit: 'minor_units',
    description:
      'Worth of each completion, in minor units of the currency of the site. Reports by goal return it as `revenue`, instead of the revenue of the hits.',
    [help]: 'Worth of each completion. Reports by goal show it as revenue.',
    [brief]: { description: 'Worth of each, minor units.' },
  }),
  value_property: Nullable(Type.String({ minLength: 1, maxLength: 300 }), {
    description: 'Property of the hit with what the completion is worth, in major units, for example 12.50; instead of `value_amount`.',
    [help]: 'Property of the hit with what the completion is worth, for example 12.50; instead of a fixed value.',
    [brief]: { description: 'Or the property with it.' },
  }),
}

export const Goal = record(
  'Goal',
  {
    id: Type.String({ description: 'Prefix `goal_`.' }),
    site_id: Type.String({ description: 'Site of the goal.' }),
    name: Type.String({ description: 'Name in reports, unique within the site.' }),
    ...goalCompletion,
    ...worth,
    created_at: DateTime({ description: 'When the goal was created.' }),
    updated_at: DateTime({ description: 'When the goal was last changed.' }),
  },
  'A goal: a page, an event or an engagement that counts as a conversion.',
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
/** How often a goal that is not saved yet would have been reached in the days before. */
export const goalPreview = slot<{ readonly siteId: string; readonly given: Readonly<Record<string, unknown>> }>('preview of a goal')
export const goalChart = slot<{ readonly goal: Static<typeof Goal> }>('chart of a goal')

export const goal = subject<'goal', GoalRow>({
  name: 'goal',
  table: 'goals',
  find: ofSite('goals'),
  lock: (db, id) =>
    db
      .updateTable('goals')
      .set(({ ref }) => ({ name: ref('name') }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),
})

/** A property that a hit carries. */
export interface PropertyCondition {
  readonly property: string
  /** Null: any. */
  readonly value: string | null
}
export const storedProperties = ({ properties }: Pick<GoalRow, 'properties'>): PropertyCondition[] =>
  JSON.parse(properties) as PropertyCondition[] // stored in this form

export function toGoal(row: GoalRow): Static<typeof Goal> {
  return {
    id: row.id,
    site_id: row.site_id,
    name: row.name,
    kind: among(kinds, row.kind),
    path: row.path,
    regex: row.regex,
    event: row.event,
    depth: row.depth,
    duration_seconds: row.duration_seconds,
    selector: row.selector,
    property: row.property,
    value: row.value,
    properties: storedProperties(row),
    value_amount: row.value_amount,
    value_property: row.value_property,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}
