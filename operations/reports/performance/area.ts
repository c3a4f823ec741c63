import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'

export default area({
  name: 'Performance',
  description: 'Performance: web vitals of sites and pages, as the browsers of visitors measured them.',
  manual: '/documentation/analytics#6-single-reports',
  section: 'Analytics',
  operations,
  views: () => import('./pages.tsx'),
  everyday: ['performance_get', 'performance_breakdown'],
  asked: {
    performance_get:
      'core web vitals, web vitals, lcp, inp, cls, ttfb, page speed, site speed, how fast is the site, loading time, load times, performance',
    performance_breakdown:
      'slow pages, slowest pages, which pages are slow, slow countries, slow browsers, slow devices, web vitals by page, lcp by country, layout shifts',
  },
})
