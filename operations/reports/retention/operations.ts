import { report } from '../../../runtime/table/operation.ts'
import { site } from '../../sites/sites/records.ts'
import { apply, engine } from '../stats/index.ts'
import { ReportMeta } from '../stats/records.ts'
import { faultsOfRetention, retentionInput } from './input.ts'
import { Retention } from './records.ts'
import { retention } from './retention.ts'

export const retention_get = report({
  route: 'GET /sites/{site_id}/retention',
  summary: 'Find how many people come back',
  description:
    'People by the day, week or month of their first visit (or first completion of a goal), and how many of them came back in each period after it, with what they spent. Only people whom the site identifies are counted: other visitors are known for one day only.',
  place: 'visitors',
  icon: 'returns',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: retentionInput,
  output: Retention,
  meta: ReportMeta,
  examples: [
    { summary: 'By week', input: { site_id: '{{site}}' } },
    { summary: 'By channel, by month', input: { site_id: '{{site}}', period: 'last_year', interval: 'month', by: 'channel' } },
    { summary: 'Buyers who complete a goal again', input: { site_id: '{{site}}', goal_id: '{{goal}}', return_goal_id: '{{goal}}' } },
  ],
  async run({ site, input, db, now, use }) {
    const applied = await apply(db, site, now, { ...input, interval: 'auto' }, goals => faultsOfRetention(input, goals))
    return retention(applied, input, { db, now, engine: use(engine) })
  },
})
