import { Type } from '@sinclair/typebox'
import type { Fault } from '../../../runtime/table/errors.ts'
import { limitedBy } from '../../../runtime/table/report-limits.ts'
import { report } from '../../../runtime/table/operation.ts'
import { brief, meantBy, OneOf, optional } from '../../../runtime/table/schema.ts'
import { checkedBy } from '../../../runtime/table/validate.ts'
import { filtersInFull, otherDimensions } from '../../sites/segments/index.ts'
import { site } from '../../sites/sites/records.ts'
import { applyWithRevenue } from './uncounted-revenue.ts'
import { dimensionOf, DIMENSIONS_KNOWN, MAX_DIMENSION_LENGTH } from '../../../storage/engine/vocabulary/dimensions.ts'
import { ORDERS, RANKS, SORTS } from '../../../storage/engine/vocabulary/scope.ts'
import {
  missing,
  nothingToCompare,
  pointMetricsInput,
  possibleMetricsOf,
  possiblePointMetricsOf,
  rowMetricsInput,
  unsortable,
} from './chosen.ts'
import { intervalInput, rowsInput, statsInput } from './input.ts'
import { hiddenMetrics } from './limited.ts'
import { dimensionSynonym } from './synonyms.ts'
import { panelsInput, panelsOf, unknownPanels } from './overview/input.ts'
import { overview } from './overview/overview.ts'
import { Overview } from './overview/records.ts'
import { engine } from './engine.ts'
import { Aggregate, Breakdown, ReportMeta, RowsMeta, Timeseries } from './records.ts'
import { aggregate, breakdown, timeseries } from './reports.ts'
import { fieldTerm } from '../../../runtime/texts/message.ts'
import { m } from './messages.ts'

export const stats_aggregate = report({
  route: 'GET /sites/{site_id}/stats/aggregate',
  summary: 'Get visitors, pageviews and revenue of a period',
  place: 'aside',
  description:
    'Answers how many people visited: visitors, visits, pageviews, views per visit, bounce rate, visit duration, revenue, purchases and average order; with `compare`, also the change. For values over time, use `stats_timeseries`; by page, source or country, `stats_breakdown`.',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: statsInput,
  output: Aggregate,
  meta: ReportMeta,
  examples: [
    { input: { site_id: '{{site}}' } },
    {
      summary: 'From Germany, against the week before',
      input: { site_id: '{{site}}', period: '7d', compare: 'previous_period', filters: [['country', 'is', 'DE']] },
    },
  ],
  async run({ site, input, db, now, use, caller }) {
    return aggregate(await applyWithRevenue(caller, db, site, now, input), use(engine))
  },
})

export const stats_timeseries = report({
  route: 'GET /sites/{site_id}/stats/timeseries',
  summary: 'Get visitors and revenue over time',
  title: 'Over time',
  description:
    'Traffic by minute to year, for trends. Includes every point. `by` divides the series, for example into visits a day by channel. For one figure, use `stats_aggregate`.',
  place: 'what_they_do',
  icon: 'series',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: {
    ...statsInput,
    interval: intervalInput,
    metrics: pointMetricsInput,
    by: optional(
      Type.String({
        maxLength: MAX_DIMENSION_LENGTH,
        description: 'Divides the series by a dimension: one series for each top value, and one for all others.',
        [brief]: { description: 'A series for each top value, and one for all others.' },
        [limitedBy]: otherDimensions,
        [checkedBy]: given => unknownDimension(String(given), 'by'),
      }),
    ),
    limit: Type.Integer({
      unit: 'count',
      default: 5,
      minimum: 1,
      maximum: 20,
      description: 'With `by`: number of values with their own series.',
      [brief]: { description: 'With `by`: most series.', default: undefined },
    }),
  },
  output: Timeseries,
  meta: ReportMeta,
  examples: [
    { input: { site_id: '{{site}}', period: '7d' } },
    {
      summary: 'By hour',
      input: { site_id: '{{site}}', period: 'today', interval: 'hour', compare: 'previous_period' },
    },
    {
      summary: 'Visits a day by channel',
      input: { site_id: '{{site}}', period: '7d', by: 'channel', limit: 3, metrics: ['visits'] },
    },
  ],
  async run({ site, input, db, now, use, caller }) {
    const by = input.by === undefined ? null : (dimensionOf(input.by) ?? null)
    const applied = await applyWithRevenue(caller, db, site, now, input, () => [
      ...(input.by === undefined ? [] : unknownDimension(input.by, 'by')),
      ...missing(input.metrics, possiblePointMetricsOf(by), by ? m.a_series_by({ dimension: by.name }) : m.a_series()),
    ])
    return timeseries(applied, use(engine), { ...input, by })
  },
})

export const stats_breakdown = report({
  route: 'GET /sites/{site_id}/breakdown/{dimension}',
  summary: 'List top pages, sources, referrers, campaigns, countries, devices, goals or events',
  description:
    'Visitors, visits, pageviews, bounce rate and revenue; for goals, conversions and conversion rate. With ' +
    '`compare`, `rank` finds the largest gains or losses.',
  entries: [
    { place: 'where_from', title: 'Sources', icon: 'globe', path: { dimension: 'source' } },
    { place: 'where_from', title: 'Countries', icon: 'place', path: { dimension: 'country' } },
    { place: 'what_they_do', title: 'Pages', icon: 'page', path: { dimension: 'page' } },
  ],
  access: 'analytics.read',
  on: site,
  path: {
    dimension: Type.String({
      maxLength: MAX_DIMENSION_LENGTH,
      description: `Dimension: ${DIMENSIONS_KNOWN}.`,
      [meantBy]: dimensionSynonym,
      [limitedBy]: otherDimensions,
      [checkedBy]: given => unknownDimension(String(given), 'dimension'),
    }),
  },
  effect: 'read',
  input: {
    ...statsInput,
    filters: { ...statsInput.filters, [brief]: { ...statsInput.filters[brief], description: filtersInFull } },
    ...rowsInput(10),
    sort: OneOf(SORTS, {
      default: 'visitors',
      [limitedBy]: hiddenMetrics,
      description:
        'Metric to sort by: any that the rows have, rates included. For events and goals, `pageviews` is the number of times. For pages, `visit_revenue` and `conversions` answer which pages make people buy.',
      [brief]: { description: 'Any metric.', enum: undefined },
    }),
    order: OneOf(ORDERS, {
      default: 'desc',
      description: 'Order: `desc` for most first, `asc` for least first.',
      [brief]: { description: 'desc: most.' },
    }),
    rank: OneOf(RANKS, {
      default: 'value',
      description:
        'With `compare`: `gain` sorts by the increase and returns only values that gained; `loss` returns values that lost, including those that fell to zero.',
      [brief]: { description: 'With `compare`: only those that gained, or lost.' },
      [checkedBy]: (rank, _, { compare }) => nothingToCompare(String(rank), compare),
    }),
    metrics: rowMetricsInput,
    by: optional(
      Type.String({
        maxLength: MAX_DIMENSION_LENGTH,
        description:
          'Second dimension: each row then has `rows` with its top values, sorted like the rows. For one flat table, see `stats_query`.',
        [brief]: { description: 'Rows within rows.' },
        [limitedBy]: otherDimensions,
        [checkedBy]: given => unknownDimension(String(given), 'by'),
      }),
    ),
    by_limit: Type.Integer({
      unit: 'count',
      default: 5,
      minimum: 1,
      maximum: 20,
      description: 'With `by`: most rows within a row.',
      [brief]: { description: 'Of these.', default: undefined },
    }),
  },
  output: Breakdown,
  meta: RowsMeta,
  examples: [
    { input: { site_id: '{{site}}', dimension: 'page' } },
    {
      summary: 'Countries by revenue',
      input: { site_id: '{{site}}', dimension: 'country', period: '90d', sort: 'revenue', limit: 5 },
    },
    {
      summary: 'Pages that lost most since the week before',
      input: {
        site_id: '{{site}}',
        dimension: 'page',
        period: '7d',
        compare: 'previous_period',
        rank: 'loss',
        metrics: ['visitors'],
      },
    },
    { summary: 'Devices within countries', input: { site_id: '{{site}}', dimension: 'country', by: 'device', by_limit: 3, limit: 5 } },
    {
      summary: 'Values of an event property',
      input: { site_id: '{{site}}', dimension: 'property:plan', filters: [['event', 'is', 'Signup']] },
    },
  ],
  async run({ site, input, db, now, use, caller }) {
    const dimension = dimensionOf(input.dimension)
    const applied = await applyWithRevenue(caller, db, site, now, input, (_, where) => [
      ...unknownDimension(input.dimension, 'dimension'),
      ...nothingToCompare(input.rank, input.compare),
      ...(dimension ? missing(input.metrics, possibleMetricsOf(dimension, where), dimension.name) : []),
      ...(dimension ? unsortable(input.sort, dimension, where) : []),
      ...(input.by === undefined ? [] : unknownDimension(input.by, 'by')),
      ...(input.by === input.dimension ? sameDimension(input.by) : []),
    ])
    if (!dimension) throw new Error('a dimension of the report no longer exists')
    const by = input.by === undefined ? null : (dimensionOf(input.by) ?? null)
    const within = by && { dimension: by, limit: input.by_limit }
    const { data, meta, total } = await breakdown(applied, { dimension, page: input, within, engine: use(engine) })
    return { data, meta: { ...meta, total } }
  },
})

export const stats_overview = report({
  route: 'GET /sites/{site_id}/overview',
  summary: 'Get a whole dashboard of a site in one response',
  description:
    'Metrics, chart, top pages, sources, countries, devices, campaigns, events and goals, live visitors and notes. The response is long; for one question, `stats_aggregate` or `stats_breakdown` is shorter.',
  place: 'now',
  icon: 'overview',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: { ...statsInput, interval: intervalInput, panels: panelsInput },
  output: Overview,
  meta: ReportMeta,
  examples: [
    { input: { site_id: '{{site}}' } },
    {
      summary: 'A week with chosen panels, against the week before',
      input: { site_id: '{{site}}', period: '7d', compare: 'previous_period', panels: ['page', 'source', 'goal'] },
    },
  ],
  async run({ site, input, db, now, use, caller }) {
    const applied = await applyWithRevenue(caller, db, site, now, input, () => unknownPanels(input.panels))
    return overview(applied, { panels: panelsOf(input.panels), db, now, engine: use(engine) })
  },
})

function unknownDimension(dimension: string, name: 'dimension' | 'by'): Fault[] {
  if (dimensionOf(dimension)) return []
  const message = m.unknown_dimension({ field: fieldTerm(name), known: DIMENSIONS_KNOWN, received: JSON.stringify(dimension.slice(0, 80)) })
  return [{ ...(name === 'dimension' && { in: 'path' }), pointer: `/${name}`, code: 'not_in_enum', message }]
}

function sameDimension(by: string): Fault[] {
  const message = m.dimension_twice({ field: fieldTerm('by'), received: JSON.stringify(by.slice(0, 80)) })
  return [{ pointer: '/by', code: 'mismatch', message }]
}
