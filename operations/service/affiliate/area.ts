import { area } from '../../../runtime/table/area.ts'
import * as endpoints from './endpoints.ts'
import * as operations from './operations.ts'
import * as settings from './settings.ts'
import * as subscribers from './subscribers.ts'
import * as tasks from './tasks.ts'

export default area({
  name: 'Affiliate program',
  description: 'Affiliates recommend the service and get a share of customer payments.',
  manual: '/documentation/affiliate',
  operations,
  asked: {
    affiliate_get: 'referral link, refer a friend, recommend, my earnings, affiliate balance, payouts',
    affiliate_commissions_list: 'my commissions, what did i earn',
    affiliate_signup_box_get: 'embed the signup form, signup widget, sign-up box for my page',
  },
  endpoints,
  tasks,
  subscribers,
  settings,
  views: () => import('./pages.tsx'),
  tables: ['affiliates', 'affiliate_referrals', 'affiliate_commissions', 'affiliate_payouts'],
})
