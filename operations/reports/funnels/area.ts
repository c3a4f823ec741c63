import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'
import * as subscribers from './subscribers.ts'

export default area({
  name: 'Funnels',
  description: 'Funnels: steps that visits complete in order, and how far visits come.',
  manual: '/documentation/analytics#6-single-reports',
  operations,
  views: () => import('./pages.tsx'),
  everyday: ['funnels_list', 'funnels_report'],
  asked: {
    funnels_update: 'rename the funnel, change the steps',
    funnels_report:
      'drop off, where people drop off, funnel conversion, conversion of a funnel, checkout abandonment, abandoned carts, completion rate, how far people get, step conversion, lost in checkout, at which step, lose customers, funnel performance, signup funnel, purchase funnel, checkout conversion',
    funnels_preview: 'what would this funnel count, try a funnel, test steps before saving',
    funnels_explore:
      'how many go from one page to another, steps without saving, from page to purchase, time between steps, drop off between two pages',
    funnels_list: 'which funnels are there, my funnels',
    funnels_create: 'new funnel, define steps, funnel from cart to payment',
  },
  subscribers,
  ids,
  tables: ['funnels'],
  example: () => import('./example.ts'),
})
