import { Type } from '@sinclair/typebox'
import { report } from '../../../runtime/table/operation.ts'
import { brief, OneOf } from '../../../runtime/table/schema.ts'
import { site } from '../../sites/sites/records.ts'
import { apply, engine } from '../stats/index.ts'
import { ReportMeta } from '../stats/records.ts'
import { INSIGHT_DAYS, insightDays, insights } from './insights.ts'
import { Insights } from './records.ts'

export const insights_get = report({
  route: 'GET /sites/{site_id}/insights',
  summary: 'Find what changed: the largest rises and falls, in sentences',
  description:
    'Compares the last complete days with the same number of days before: metrics of the site, pages, sources, countries, devices, campaigns, ' +
    'events and goals. Returns the most important changes first, each with a query that shows it, and leaves out changes with fewer than 10 ' +
    'visitors.',
  place: 'now',
  icon: 'insight',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: {
    period: OneOf(['7d', '14d', '28d', '30d'] as const, {
      default: '7d',
      description: 'Number of complete days up to yesterday, in the time zone of the site.',
      [brief]: { description: 'Complete days up to yesterday.' },
    }),
    limit: Type.Integer({
      unit: 'count',
      default: 8,
      minimum: 1,
      maximum: 20,
      description: 'Largest number of changes to return.',
      [brief]: { description: 'Most changes.' },
    }),
  },
  output: Insights,
  meta: ReportMeta,
  examples: [
    { input: { site_id: '{{site}}' } },
    { summary: 'The three most notable of four weeks', input: { site_id: '{{site}}', period: '28d', limit: 3 } },
  ],
  async run({ site, input, db, now, use }) {
    const asked = insightDays(site, INSIGHT_DAYS[input.period], now)
    return insights({ applied: await apply(db, site, now, asked), asked, limit: input.limit, engine: use(engine) })
  },
})
