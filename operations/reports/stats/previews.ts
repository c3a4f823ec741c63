/** Counts a goal or a segment over the last 30 days before it is created. Nothing is stored. */
import { type TProperties, Type } from '@sinclair/typebox'
import { failWith } from '../../../runtime/table/errors.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { DateTime, optional, record, Sentence } from '../../../runtime/table/schema.ts'
import { dimensions } from '../../../storage/engine/vocabulary/dimensions.ts'
import { percentOf } from '../../../storage/engine/vocabulary/metrics.ts'
import { draftOf, engineGoal, goalInput, noWorth, worthOf } from '../../sites/goals/index.ts'
import { parseFilters, segmentInput } from '../../sites/segments/index.ts'
import { site } from '../../sites/sites/records.ts'
import { apply } from './applied.ts'
import { engine } from './engine.ts'
import { Period } from './records.ts'
import { aggregate, breakdown, timeseries } from './reports.ts'

const notes = Type.Array(
  Type.Object({
    code: Type.String({ description: 'Code of the note, for programs.' }),
    message: Sentence({ description: 'Text of the note, for people.' }),
  }),
  { description: 'Notes on how to interpret the numbers.' },
)

/** Every preview covers these days. */
const thirtyDays = { period: '30d', compare: 'none', interval: 'day', match_weekday: false } as const

const count = (description: string) => Type.Integer({ unit: 'count', description })
const seriesOf = (fields: TProperties) =>
  Type.Array(Type.Object({ at: DateTime({ description: 'Start of the day.' }), ...fields }), {
    description: 'Every day of the period in order, including days without visits.',
  })

const GoalPreview = record(
  'GoalPreview',
  {
    period: Period,
    completions: count('Number of times that the goal was reached.'),
    visits: count('Visits that reached it.'),
    visitors: count('Visitors who reached it.'),
    conversion_rate: Type.Number({ unit: 'percent', description: 'Visitors who reached it, of all visitors of the site.' }),
    series: seriesOf({ completions: count('Completions on the day.'), visits: count('Visits of the day that reached it.') }),
    notes,
  },
  'What a goal would have counted in the last 30 days.',
)

const SegmentPreview = record(
  'SegmentPreview',
  {
    period: Period,
    visitors: count('Visitors of the segment.'),
    visits: count('Visits of the segment.'),
    pageviews: count('Pageviews of the segment.'),
    share: Type.Number({ unit: 'percent', description: 'Its visitors, of all visitors of the site.' }),
    series: seriesOf({ visitors: count('Visitors of the segment on the day.'), visits: count('Visits of the segment on the day.') }),
    notes,
  },
  'The visitors whom a segment would have had in the last 30 days.',
)

const goalDimension = dimensions.get('goal')
/** A goal that is not stored has no id. */
const DRAFT = 'draft'

export const goals_preview = operation({
  route: 'GET /sites/{site_id}/goals/preview',
  summary: 'Preview a goal: how often it would have been reached',
  title: 'Preview of a goal',
  place: 'aside',
  description: 'Takes the input of `goals_create` and counts the last 30 days, as reports would. Stores nothing.',
  access: 'analytics.read',
  on: site,
  groups: true,
  effect: 'read',
  input: goalInput,
  output: GoalPreview,
  examples: [
    { summary: 'A page', input: { site_id: '{{site}}', kind: 'page', path: '/checkout/*/thanks' } },
    { summary: 'An event', input: { site_id: '{{site}}', kind: 'event', event: 'Newsletter' } },
  ],
  async run({ site, input, db, now, use }) {
    const goals = [engineGoal({ id: DRAFT, ...draftOf(input), ...worthOf(input, noWorth) }, site.currency)]
    const applied = { ...(await apply(db, site, now, thirtyDays)), goals }
    if (!goalDimension) throw new Error('there is no dimension of goals')
    const page = { limit: 1, page: 1, sort: 'visitors' } as const
    const { data, meta } = await breakdown(applied, { dimension: goalDimension, page, engine: use(engine) })
    const { data: days } = await timeseries(applied, use(engine), { by: goalDimension, limit: 1 })
    const [found] = data.rows
    const [divided] = days.by?.rows.filter(({ value }) => value === DRAFT) ?? []
    return {
      period: data.period,
      completions: found?.conversions ?? 0,
      visits: found?.visits ?? 0,
      visitors: found?.visitors ?? 0,
      conversion_rate: found?.conversion_rate ?? 0,
      series: days.series.map(({ at }, i) => ({
        at,
        completions: divided?.series[i]?.conversions ?? 0,
        visits: divided?.series[i]?.visits ?? 0,
      })),
      notes: meta.notes,
    }
  },
})

export const segments_preview = operation({
  route: 'GET /sites/{site_id}/segments/preview',
  summary: 'Preview a segment: how many visitors it would have had',
  title: 'Preview of a segment',
  place: 'aside',
  description: 'Takes the input of `segments_create` and counts the last 30 days, as reports would. Stores nothing.',
  access: 'analytics.read',
  on: site,
  groups: true,
  effect: 'read',
  input: { ...segmentInput, name: optional(segmentInput.name) },
  output: SegmentPreview,
  examples: [
    {
      input: {
        site_id: '{{site}}',
        filters: [
          ['country', 'is', 'FR'],
          ['device', 'is', 'mobile'],
        ],
      },
    },
  ],
  async run({ site, input, db, now, use }) {
    const { conditions: where, faults } = parseFilters(input.filters)
    failWith(faults)
    const all = await apply(db, site, now, thirtyDays)
    const applied = { ...all, where }
    const whole = await aggregate(all, use(engine))
    const { data, meta } = await aggregate(applied, use(engine))
    const { data: days } = await timeseries(applied, use(engine))
    const { visitors, visits, pageviews } = data.metrics
    return {
      period: data.period,
      visitors: visitors ?? 0,
      visits: visits ?? 0,
      pageviews: pageviews ?? 0,
      share: percentOf(visitors ?? 0, whole.data.metrics.visitors ?? 0),
      series: days.series.map(point => ({ at: point.at, visitors: point.visitors ?? 0, visits: point.visits ?? 0 })),
      notes: meta.notes,
    }
  },
})
