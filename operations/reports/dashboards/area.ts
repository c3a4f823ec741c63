import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'

export default area({
  name: 'Dashboards',
  description: 'Dashboards of cards, each with one report of one site.',
  manual: '/documentation/pages',
  operations,
  views: () => import('./pages.tsx'),
  asked: {
    dashboards_list: 'my dashboards, boards',
    dashboards_create: 'build a dashboard, new dashboard',
    dashboards_card: 'one card',
  },
  ids,
  tables: ['dashboards'],
  example: () => import('./example.ts'),
})
