import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'

export default area({
  name: 'Pages',
  description: 'The detail of one page of a site: visits, sources, web vitals and clicks.',
  manual: '/documentation/analytics#6-single-reports',
  section: 'Analytics',
  operations,
  views: () => import('./pages.tsx'),
  everyday: ['pages_detail'],
  asked: {
    pages_detail:
      'one page, how is the page doing, pricing page, a blog post, core web vitals, web vitals, page speed, how fast the page loads, load time, slow page, lcp, cls, inp, scroll depth, heatmap, click map, clicks on a page, time on a page, time spent on a page, figures of a page, cumulative layout shift, layout shift, largest contentful paint, interaction to next paint, core vitals, ttfb, rendering',
  },
})
