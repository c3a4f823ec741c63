import { Type } from '@sinclair/typebox'
import { limitedBy } from '../../../runtime/table/report-limits.ts'
import { report } from '../../../runtime/table/operation.ts'
import { among, brief, meantBy, OneOf } from '../../../runtime/table/schema.ts'
import { vitalNames } from '../../../storage/values/web-vitals.ts'
import { otherDimensions } from '../../sites/segments/index.ts'
import { site } from '../../sites/sites/records.ts'
import { apply, engine, intervalInput, rowsInput, seriesInput, statsInput } from '../stats/index.ts'
import { ReportMeta, RowsMeta } from '../stats/records.ts'
import { performance, performanceBy } from './performance.ts'
import { breakdownDimensions, Performance, PerformanceBreakdown } from './records.ts'

const percentile = Type.Integer({
  default: 75,
  minimum: 50,
  maximum: 95,
  description: 'Percentile of page loads for `value`: 50, 75, 90 or 95. Google rates the 75th.',
  [brief]: { description: 'Percentile.' },
})

export const performance_get = report({
  route: 'GET /sites/{site_id}/performance',
  summary: 'Get how fast the site is for visitors: web vitals over time',
  title: 'Performance',
  description:
    'LCP, INP, CLS, FCP and TTFB with ratings, and the uptime of the site. To find slow pages or devices, use `performance_breakdown`.',
  place: 'what_they_do',
  icon: 'vitals',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: { ...statsInput, interval: intervalInput, percentile, series: seriesInput() },
  output: Performance,
  meta: ReportMeta,
  examples: [
    { input: { site_id: '{{site}}' } },
    {
      summary: 'The slowest tenth of page loads on phones, against the week before',
      input: {
        site_id: '{{site}}',
        period: '7d',
        percentile: 90,
        compare: 'previous_period',
        filters: [['device', 'is', 'mobile']],
      },
    },
  ],
  async run({ site, input, db, now, use }) {
    return performance(await apply(db, site, now, input), input, { db, now, engine: use(engine) })
  },
})

export const performance_breakdown = report({
  route: 'GET /sites/{site_id}/performance/{dimension}',
  summary: 'Find the slowest pages, countries, devices or browsers by a web vital',
  title: 'Performance by',
  description: '`impact` is the number of poor page loads. With fewer than 20 samples, `measured` is null.',
  access: 'analytics.read',
  on: site,
  path: {
    dimension: OneOf(breakdownDimensions, {
      description: 'Dimension: page, country, device, browser or os.',
      [brief]: { description: 'Rows.' },
      [meantBy]: text => breakdownDimensions.find(each => `${each}s` === text.toLowerCase().replace(/countries/, 'countrys')),
      [limitedBy]: otherDimensions,
    }),
  },
  effect: 'read',
  input: {
    ...statsInput,
    metric: OneOf(vitalNames, { default: 'lcp', description: 'Web vital.' }),
    percentile,
    sort: OneOf(['impact', 'measured', 'samples'], {
      default: 'impact',
      [meantBy]: text => (text === 'value' ? 'measured' : undefined),
      description: 'Order of the rows. `impact`: most poor page loads first; `measured`: slowest first; `samples`: most samples first.',
      [brief]: { description: 'Order of the rows.' },
    }),
    ...rowsInput(10),
  },
  output: PerformanceBreakdown,
  meta: RowsMeta,
  examples: [
    { input: { site_id: '{{site}}', dimension: 'page' } },
    { summary: 'Layout shifts by device', input: { site_id: '{{site}}', dimension: 'device', metric: 'cls', period: '90d' } },
  ],
  async run({ site, input, db, now, use }) {
    const dimension = among(breakdownDimensions, input.dimension)
    const { data, meta, total } = await performanceBy(await apply(db, site, now, input), { ...input, dimension }, use(engine))
    return { data, meta: { ...meta, total } }
  },
})
