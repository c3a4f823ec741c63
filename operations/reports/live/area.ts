import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'

export default area({
  name: 'Live',
  description: 'Live visitors: who is on a site now.',
  manual: '/documentation/analytics#6-single-reports',
  operations,
  views: () => import('./pages.tsx'),
  everyday: ['live_get'],
  asked: {
    live_get:
      'right now, online, currently, current visitors, real time, realtime, at the moment, active visitors, on the site now, present, anybody, anyone, somebody on my site, last minutes, live',
  },
})
