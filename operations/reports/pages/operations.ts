import { Type } from '@sinclair/typebox'
import { report } from '../../../runtime/table/operation.ts'
import { storedPath } from '../../sites/collection/index.ts'
import { site } from '../../sites/sites/records.ts'
import { apply, engine, seriesInput, statsInput } from '../stats/index.ts'
import { ReportMeta } from '../stats/records.ts'
import { page } from './page.ts'
import { PageDetail } from './records.ts'

export const pages_detail = report({
  route: 'GET /sites/{site_id}/pages/detail',
  summary: 'Get everything about one page',
  title: 'Page',
  description:
    'Views, time on page, entries and exits, the pages before and after it, sources, web vitals (LCP, INP, CLS) by ' +
    'device, scroll depth, events and click map. Filters select visits, and with them their web vitals and clicks.',
  place: 'aside',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: {
    ...statsInput,
    path: Type.String({ minLength: 1, maxLength: 2_000, description: 'Exact path of the page, for example `/pricing`.' }),
    series: seriesInput('clicks.grid'),
  },
  output: PageDetail,
  meta: ReportMeta,
  examples: [
    { input: { site_id: '{{site}}', path: '/pricing' } },
    {
      summary: 'On phones, against the week before',
      input: {
        site_id: '{{site}}',
        path: '/',
        period: '7d',
        compare: 'previous_period',
        filters: [['device', 'is', 'mobile']],
      },
    },
  ],
  async run({ site, input, db, now, use }) {
    return page(await apply(db, site, now, input), { path: storedPath(input.path), hasGrid: input.series }, use(engine))
  },
})
