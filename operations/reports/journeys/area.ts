import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'

export default area({
  name: 'Journeys',
  description: 'Journeys: the paths of visits through a site.',
  manual: '/documentation/analytics#6-single-reports',
  section: 'Analytics',
  operations,
  views: () => import('./pages.tsx'),
  everyday: ['journeys_explore'],
  asked: {
    journeys_explore:
      'next pages, next page after home, after the page, before the page, what visitors do next, what visitors do after, where people go, get to the page, how people get to a page, user flow, flow, paths, path, navigation, routes, sequence of pages, click path, previous page',
  },
})
