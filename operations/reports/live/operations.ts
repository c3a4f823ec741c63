import { report } from '../../../runtime/table/operation.ts'
import { engine, ReportMeta } from '../stats/index.ts'
import { site } from '../../sites/sites/records.ts'
import { Live } from './records.ts'
import { liveReport } from './report.ts'

export const live_get = report({
  route: 'GET /sites/{site_id}/live',
  summary: 'Get the visitors who are on the site right now',
  description:
    'Visitors of the last 5 minutes with pages, sources and countries, the last 30 minutes, and the latest hits. You may poll it.',
  place: 'now',
  icon: 'live',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: {},
  output: Live,
  meta: ReportMeta,
  examples: [{ input: { site_id: '{{site}}' } }],
  // Of one hit after the other, a stranger with a link could follow a single visitor.
  run: ({ site, now, use, caller }) => liveReport(site, now, use(engine), caller.limits === undefined),
})
