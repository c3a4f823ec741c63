import { Type } from '@sinclair/typebox'
import type { Fault } from '../../../runtime/errors.ts'
import { report } from '../../../runtime/operation.ts'
import { meantBy, OneOf } from '../../../runtime/schema.ts'
import { checkedBy } from '../../../runtime/validate.ts'
import { site } from '../../sites/sites/records.ts'
import { apply } from './applied.ts'
import { dimensionOf, DIMENSIONS_KNOWN, LONGEST_DIMENSION } from '../../../storage/engine/vocabulary/dimensions.ts'
import { SORTS } from '../../../storage/engine/vocabulary/scope.ts'
import { intervalInput, statsInput } from './input.ts'
import { meantDimension } from './meant.ts'
import { panelsInput, panelsOf, unknownPanels } from './overview/input.ts'
import { overview } from './overview/overview.ts'
import { Overview } from './overview/records.ts'
import { engine } from './engine.ts'
import { Aggregate, Breakdown, ReportMeta, Timeseries } from './records.ts'
import { aggregate, breakdown, timeseries } from './reports.ts'

export const stats_aggregate = report({
  route: 'GET /sites/{site_id}/stats/aggregate',
  summary: 'Headline metrics of a period',
  description: 'Visitors, visits, pageviews, bounce rate, duration and revenue, and what they were in a comparison.',
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
  async run({ site, input, db, now, use }) {
    return aggregate(await apply(db, site, now, input), use(engine))
  },
})

export const stats_timeseries = report({
  route: 'GET /sites/{site_id}/stats/timeseries',
  summary: 'Headline metrics over time',
  description: 'Points of a minute, hour, day, week, month, quarter or year in the zone of the site; none is left out.',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: { ...statsInput, interval: intervalInput },
  output: Timeseries,
  meta: ReportMeta,
  examples: [
    { input: { site_id: '{{site}}', period: '7d' } },
    {
      summary: 'By hour',
      input: { site_id: '{{site}}', period: 'today', interval: 'hour', compare: 'previous_period' },
    },
  ],
  async run({ site, input, db, now, use }) {
    return timeseries(await apply(db, site, now, input), use(engine))
  },
})

export const stats_breakdown = report({
  route: 'GET /sites/{site_id}/breakdown/{dimension}',
  summary: 'Top values of a dimension',
  description: 'Ranked values with their metrics. Ask for pages until one has fewer rows than limit.',
  access: 'analytics.read',
  on: site,
  path: {
    dimension: Type.String({
      maxLength: LONGEST_DIMENSION,
      description: `What to break down by: ${DIMENSIONS_KNOWN}.`,
      [meantBy]: meantDimension,
      [checkedBy]: given => unknownDimension(String(given)),
    }),
  },
  effect: 'read',
  input: {
    ...statsInput,
    limit: Type.Integer({ unit: 'count', default: 10, minimum: 1, maximum: 1_000, description: 'Rows on a page.' }),
    page: Type.Integer({ default: 1, minimum: 1, maximum: 1_000_000, description: 'Page of the rows, from 1.' }),
    sort: OneOf(SORTS, {
      default: 'visitors',
      description: 'What the rows are ranked by; for events and goals `pageviews` is how often.',
    }),
  },
  output: Breakdown,
  meta: ReportMeta,
  examples: [
    { input: { site_id: '{{site}}', dimension: 'page' } },
    {
      summary: 'Countries by revenue',
      input: { site_id: '{{site}}', dimension: 'country', period: '90d', sort: 'revenue', limit: 5 },
    },
    {
      summary: 'Values of an event property',
      input: { site_id: '{{site}}', dimension: 'property:plan', filters: [['event', 'is', 'Signup']] },
    },
  ],
  async run({ site, input, db, now, use }) {
    const applied = await apply(db, site, now, input, () => unknownDimension(input.dimension))
    const dimension = dimensionOf(input.dimension)
    if (!dimension) throw new Error('a dimension that was there is gone')
    return breakdown(applied, dimension, input, use(engine))
  },
})

export const stats_overview = report({
  route: 'GET /sites/{site_id}/overview',
  summary: 'Everything about a period at a glance',
  description:
    'Headline metrics, the chart, the top values of several dimensions, who is there now, and the notes; \
all as it is in one snapshot.',
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
  async run({ site, input, db, now, use }) {
    const applied = await apply(db, site, now, input, () => unknownPanels(input.panels))
    return overview(applied, panelsOf(input.panels), { db, now }, use(engine))
  },
})

function unknownDimension(dimension: string): Fault[] {
  if (dimensionOf(dimension)) return []
  const message = `dimension must be one of ${DIMENSIONS_KNOWN}; received ${JSON.stringify(dimension.slice(0, 80))}.`
  return [{ in: 'path', pointer: '/dimension', code: 'not_in_enum', message }]
}
