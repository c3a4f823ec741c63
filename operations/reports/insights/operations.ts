import { Type } from '@sinclair/typebox'
import { report } from '../../../runtime/table/operation.ts'
import { brief, meantBy, OneOfOrLike } from '../../../runtime/table/schema.ts'
import { site } from '../../sites/sites/records.ts'
import { apply, CALENDAR_PERIOD, CALENDAR_PERIODS, engine, PERIODS, periodSynonym } from '../stats/index.ts'
import { ReportMeta } from '../stats/records.ts'
import { comparedPeriods, insights } from './insights.ts'
import { Insights } from './records.ts'

export const insights_get = report({
  route: 'GET /sites/{site_id}/insights',
  summary: 'Find what changed: the largest rises and falls, in sentences',
  description:
    'Compares a period with the one before, usually complete days with as many before: metrics of the site, pages, sources, countries, devices, campaigns, ' +
    'events and goals. Returns the most important changes first, each with a query that shows it, and leaves out changes with fewer than 10 ' +
    'visitors.',
  place: 'now',
  icon: 'insight',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: {
    period: OneOfOrLike(
      PERIODS.filter(period => period !== 'custom' && period !== 'all'),
      { form: CALENDAR_PERIOD, examples: CALENDAR_PERIODS },
      {
        default: '7d',
        description:
          'Days in the time zone of the site. `7d` and other numbers of days: complete days up to yesterday. Other periods include today, and \
are compared with the same part of the period before.',
        [brief]: { description: 'Complete days.', enum: ['7d', '30d', 'last_month'] },
        [meantBy]: periodSynonym,
      },
    ),
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
    const periods = comparedPeriods(site, input.period, now)
    return insights({ applied: await apply(db, site, now, periods), periods, limit: input.limit, engine: use(engine) })
  },
})
