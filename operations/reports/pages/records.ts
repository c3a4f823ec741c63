/** The response of a page's detail. */
import { Type } from '@sinclair/typebox'
import { Nullable, OneOf, optional, record } from '../../../runtime/table/schema.ts'
import type { MetricName } from '../../../storage/engine/vocabulary/metrics.ts'
import { CHANGES, changeFields, metricFields, Period } from '../stats/records.ts'
import { VitalRow } from '../performance/records.ts'

export const ofPage = [
  'visitors',
  'visits',
  'pageviews',
  'entries',
  'exits',
  'exit_rate',
  'bounce_rate',
  'visit_duration',
  'time_on_page',
  'revenue',
  'visit_revenue',
  'conversions',
] as const satisfies readonly MetricName[]
export const ofSource = ['visitors', 'visits', 'pageviews', 'share'] as const satisfies readonly MetricName[]
export const ofEvent = ['visitors', 'visits', 'events', 'revenue', 'share'] as const satisfies readonly MetricName[]

const SHARE = 'Percentage of the total.'
const metrics = {
  ...metricFields(ofPage),
  scroll_depth: Nullable(Type.Number(), {
    unit: 'percent',
    description: 'Largest part of the page that a visit saw: mean percentage over the visits that reported it; null if none did.',
  }),
}
export const PageMetrics = record('PageMetrics', metrics, 'Metrics of a page.')
const changes = {
  ...changeFields(ofPage),
  scroll_depth: Nullable(Type.Number(), {
    unit: 'percentage_points',
    description: 'Change of scroll_depth in percentage points; null without both.',
  }),
}

const Neighbour = (name: string, none: string, description: string) =>
  record(
    name,
    {
      kind: OneOf(['page', none, 'other'], { description: `Kind of row. \`${none}\`: no page in this visit; \`other\`: all other pages.` }),
      value: Type.String({ description: 'Path of the page; empty for other kinds.' }),
      label: Type.String({ description: 'Display form of the row.' }),
      times: Type.Integer({ unit: 'count', description: 'Number of times.' }),
      share: Type.Number({ unit: 'percent', description: SHARE }),
    },
    description,
  )

const rows = <M extends MetricName>(names: readonly M[], description: string) =>
  Type.Array(
    Type.Object({
      value: Type.String({ description: 'The value, as filters accept it; empty if it is missing.' }),
      label: Type.String({ description: 'Display form of the value.' }),
      ...metricFields(names),
      comparison: optional(
        Type.Object(
          {
            ...metricFields(names),
            change: Type.Object(changeFields(names), { description: CHANGES }),
          },
          { description: 'The same value in the comparison, and the change.' },
        ),
      ),
    }),
    { description },
  )

const Scroll = record(
  'PageScroll',
  {
    visits: Type.Integer({ unit: 'count', description: 'Number of visits that reported a scroll depth.' }),
    rows: Type.Array(
      Type.Object({
        from: Type.Integer({ unit: 'percent', description: 'Start of the range, inclusive, in percent of the page.' }),
        to: Type.Integer({ unit: 'percent', description: 'End of the range, inclusive, in percent of the page.' }),
        visits: Type.Integer({ unit: 'count', description: 'Number of visits whose scroll depth is in this range.' }),
        share: Type.Number({ unit: 'percent', description: SHARE }),
      }),
      { description: 'Ten ranges of ten percent each.' },
    ),
  },
  'Scroll depth of visits on the page.',
)

const Clicks = record(
  'PageClicks',
  {
    clicks: Type.Integer({ unit: 'count', description: 'Number of clicks on the page.' }),
    elements: Type.Array(
      Type.Object({
        kind: OneOf(['element', 'other'], { description: 'Kind of row. `other`: all elements without their own row.' }),
        value: Type.String({ description: 'CSS selector of the element; empty for others.' }),
        label: Type.String({ description: 'Display form of the element.' }),
        clicks: Type.Integer({ unit: 'count', description: 'Number of clicks on the element.' }),
        share: Type.Number({ unit: 'percent', description: SHARE }),
        x: Nullable(Type.Number(), { unit: 'percent', description: "Mean position of the clicks, in percent of the page's width." }),
        y: Nullable(Type.Integer(), { unit: 'pixels', description: 'Mean position of the clicks, in pixels from the top of the page.' }),
      }),
      { description: 'The most clicked elements, and one row for all others. Their sum is `clicks`.' },
    ),
    grid: optional(
      Type.Object(
        {
          width: Type.Number({ unit: 'percent', description: "Width of a cell, in percent of the page's width." }),
          height: Type.Integer({ unit: 'pixels', description: 'Height of a cell, in pixels.' }),
          parts: Type.Array(
            Type.Object({
              x: Type.Number({ unit: 'percent', description: "Left edge of the cell, in percent of the page's width." }),
              y: Type.Integer({
                unit: 'pixels',
                description: 'Upper edge of the cell, in pixels from the top. The lowest cell extends to the end of the page.',
              }),
              clicks: Type.Integer({ unit: 'count', description: 'Number of clicks in the cell.' }),
            }),
            { description: 'The cells with the most clicks, at most 1,000.' },
          ),
        },
        { description: 'Positions of the clicks on the page, unless the request leaves them out.' },
      ),
    ),
  },
  'The click map of a page.',
)

export const PageDetail = record(
  'PageDetail',
  {
    period: Period,
    path: Type.String({ description: 'Path of the page.' }),
    metrics: PageMetrics,
    previous: Type.Array(Neighbour('PreviousPage', 'entrance', 'A page or entrance that visits came from.'), {
      description: 'Pages viewed before it. Repeated views of the page count as one.',
    }),
    next: Type.Array(Neighbour('NextPage', 'exit', 'A page or exit that visits went to.'), {
      description: 'Pages viewed after it.',
    }),
    sources: rows(ofSource, 'Sources of the visits that viewed the page, most visitors first.'),
    events: rows(ofEvent, 'Events on the page, most visitors first.'),
    scroll: Scroll,
    vitals: Type.Array(VitalRow, { description: 'Web vitals of the page.' }),
    clicks: Clicks,
    comparison: optional(
      Type.Object(
        {
          period: Period,
          metrics: PageMetrics,
          change: Type.Object(changes, { description: CHANGES }),
        },
        { description: 'The page in the comparison; sources, events and vitals have their own comparison.' },
      ),
    ),
  },
  'The detail of one page.',
)
