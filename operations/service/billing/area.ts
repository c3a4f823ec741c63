import { area } from '../../../runtime/table/area.ts'
import * as endpoints from './endpoints.ts'
import * as operations from './operations.ts'
import * as settings from './settings.ts'
import * as subscribers from './subscribers.ts'
import * as tasks from './tasks.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

export default area({
  name: 'Billing',
  description: 'Subscriptions of workspaces, paid through Stripe.',
  manual: '/documentation/billing',
  operations,
  endpoints,
  tasks,
  subscribers,
  settings,
  views: () => import('./pages.tsx'),
  tables: ['billing_customers', 'billing_invoices', 'billing_events', 'billing_endings'],
  expiring: [{ table: 'billing_events', key: ['id'], from: 'received_at', afterMs: 90 * DAY_MS }],
})
