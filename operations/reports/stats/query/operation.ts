import { report } from '../../../../runtime/table/operation.ts'
import { site } from '../../../sites/sites/records.ts'
import { dimensionOf } from '../../../../storage/engine/vocabulary/dimensions.ts'
import { missing, nothingToCompare } from '../chosen.ts'
import { engine } from '../engine.ts'
import { m } from '../messages.ts'
import { RowsMeta } from '../records.ts'
import { applyWithRevenue } from '../uncounted-revenue.ts'
import { named, possibleMetrics, queryInput, TIME, unknownDimensions, unsortableBy } from './input.ts'
import { QueryTable } from './records.ts'
import { tableByNames } from './table.ts'

export const stats_query = report({
  route: 'GET /sites/{site_id}/stats/query',
  summary: 'Ask for any metrics by up to three dimensions',
  title: 'Explore',
  description:
    'One table for one question, for example visitors by country and device, or revenue by month and channel. Time is a dimension, too. For one dimension, `stats_breakdown` is shorter.',
  place: 'what_they_do',
  icon: 'explore',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: queryInput,
  output: QueryTable,
  meta: RowsMeta,
  examples: [
    { summary: 'Visitors by country and device', input: { site_id: '{{site}}', dimensions: ['country', 'device'] } },
    {
      summary: 'Revenue of each channel by month',
      input: { site_id: '{{site}}', period: '90d', dimensions: ['time', 'channel'], interval: 'month', metrics: ['revenue', 'purchases'] },
    },
    {
      summary: 'Pages with the highest bounce rate, by browser and country',
      input: {
        site_id: '{{site}}',
        period: '7d',
        compare: 'previous_period',
        dimensions: ['page', 'browser', 'country'],
        metrics: ['visits', 'bounce_rate'],
        sort: 'bounce_rate',
        limit: 5,
      },
    },
  ],
  async run({ site, input, db, now, use, caller }) {
    const names = input.dimensions.map(named)
    const hasTime = names.includes(TIME)
    const dimensions = names.flatMap(name => (name === TIME ? [] : (dimensionOf(name) ?? [])))
    const applied = await applyWithRevenue(caller, db, site, now, input, (_, where) => [
      ...unknownDimensions(input.dimensions),
      ...nothingToCompare(input.rank, input.compare),
      ...missing(input.metrics, possibleMetrics(dimensions, where), m.a_table_by({ dimensions: names.length > 0 ? names : m.none() })),
      ...unsortableBy({ sort: input.sort, dimensions, hasTime, where }),
    ])
    const { data, meta, total } = await tableByNames(applied, input, use(engine))
    return { data, meta: { ...meta, total } }
  },
})
