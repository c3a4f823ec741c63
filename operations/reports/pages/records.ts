/** The answer of a page's detail. */
import { Type } from '@sinclair/typebox'
import { Nullable, OneOf, optional, record } from '../../../runtime/table/schema.ts'
import type { MetricName } from '../../../storage/engine/vocabulary/metrics.ts'
import { changeFields, metricFields, Period } from '../stats/records.ts'
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
] as const satisfies readonly MetricName[]
export const ofSource = ['visitors', 'visits', 'pageviews', 'share'] as const satisfies readonly MetricName[]
export const ofEvent = ['visitors', 'visits', 'events', 'revenue', 'share'] as const satisfies readonly MetricName[]

const SHARE = 'Percent of all of them.'
const metrics = {
  ...metricFields(ofPage),
  scroll_depth: Nullable(Type.Number(), {
    unit: 'percent',
    description: 'How much of the page a visit saw at most, mean percent of the visits that reported it; null if none did.',
  }),
}
export const PageMetrics = record('PageMetrics', metrics, 'Figures of a page.')
const changes = {
  ...changeFields(ofPage),
  scroll_depth: Nullable(Type.Number(), { unit: 'percent', description: 'Change of scroll_depth in percent; null without both.' }),
}

const Neighbour = (name: string, none: string, description: string) =>
  record(
    name,
    {
      kind: OneOf(['page', none, 'other'], { description: `\`${none}\`: none in this visit; \`other\`: all other pages.` }),
      value: Type.String({ description: 'Path of the page; empty where it is none.' }),
      label: Type.String({ description: 'How it is shown.' }),
      times: Type.Integer({ unit: 'count', description: 'How often.' }),
      share: Type.Number({ unit: 'percent', description: SHARE }),
    },
    description,
  )

const rows = <M extends MetricName>(names: readonly M[], description: string) =>
  Type.Array(
    Type.Object({
      value: Type.String({ description: 'The value, as filters take it; empty where there is none.' }),
      label: Type.String({ description: 'The value as it is shown.' }),
      ...metricFields(names),
      comparison: optional(
        Type.Object(
          {
            ...metricFields(names),
            change: Type.Object(changeFields(names), { description: 'Changes in percent.' }),
          },
          { description: 'The same value over the range compared with, and the change since.' },
        ),
      ),
    }),
    { description },
  )

const Scroll = record(
  'PageScroll',
  {
    visits: Type.Integer({ unit: 'count', description: 'Visits that reported how far they scrolled.' }),
    rows: Type.Array(
      Type.Object({
        from: Type.Integer({ unit: 'percent', description: 'Percent of the page, included.' }),
        to: Type.Integer({ unit: 'percent', description: 'Percent of the page, included.' }),
        visits: Type.Integer({ unit: 'count', description: 'Visits that saw this much of the page at most.' }),
        share: Type.Number({ unit: 'percent', description: SHARE }),
      }),
      { description: 'Ten ranges of ten percent.' },
    ),
  },
  'How far visits scrolled the page.',
)

const Clicks = record(
  'PageClicks',
  {
    clicks: Type.Integer({ unit: 'count', description: 'Clicks on the page.' }),
    elements: Type.Array(
      Type.Object({
        kind: OneOf(['element', 'other'], { description: '`other`: all elements that have no row of their own.' }),
        value: Type.String({ description: 'CSS selector of the element; empty for others.' }),
        label: Type.String({ description: 'How it is shown.' }),
        clicks: Type.Integer({ unit: 'count', description: 'Clicks on it.' }),
        share: Type.Number({ unit: 'percent', description: SHARE }),
        x: Nullable(Type.Number(), { unit: 'percent', description: "Mean place of the clicks, in percent of the page's width." }),
        y: Nullable(Type.Integer(), { unit: 'pixels', description: 'Mean place of the clicks, in pixels from the top of the page.' }),
      }),
      { description: 'The most clicked elements, and the rest as one; they add up to `clicks`.' },
    ),
    grid: Type.Object(
      {
        width: Type.Number({ unit: 'percent', description: "Width of a part, in percent of the page's width." }),
        height: Type.Integer({ unit: 'pixels', description: 'Height of a part, in pixels.' }),
        parts: Type.Array(
          Type.Object({
            x: Type.Number({ unit: 'percent', description: "Its left edge, in percent of the page's width." }),
            y: Type.Integer({ unit: 'pixels', description: 'Its upper edge, in pixels from the top; the lowest part has no end.' }),
            clicks: Type.Integer({ unit: 'count', description: 'Clicks in it.' }),
          }),
          { description: 'The parts of the page with the most clicks, at most 1,000.' },
        ),
      },
      { description: 'Where on the page the clicks were.' },
    ),
  },
  'The click map of a page.',
)

export const PageDetail = record(
  'PageDetail',
  {
    period: Period,
    path: Type.String({ description: 'The page.' }),
    metrics: PageMetrics,
    previous: Type.Array(Neighbour('PreviousPage', 'entrance', 'Where visits came from when they came to the page.'), {
      description: 'What was viewed before; a page viewed again at once is one stay.',
    }),
    next: Type.Array(Neighbour('NextPage', 'exit', 'Where visits went when they left the page.'), {
      description: 'What was viewed after it.',
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
          change: Type.Object(changes, { description: 'Changes in percent.' }),
        },
        { description: 'The page over the range compared with; sources, events and vitals have one of their own.' },
      ),
    ),
  },
  'All about one page.',
)
