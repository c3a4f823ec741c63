import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'

export default area({
  name: 'Visits',
  description: 'Single visits of a site, as exports have them.',
  manual: '/documentation/privacy#single-visits',
  section: 'Analytics',
  operations,
  views: () => import('./pages.tsx'),
  asked: {
    visits_list:
      'visits log, visitor log, list of visits, latest visits, session list, single visits, who visited just now, recent sessions',
    visits_get: 'one visit, what happened in a visit, timeline of a visit, clickstream, session replay',
  },
})
