import { area } from '../../../runtime/table/area.ts'
import * as endpoints from './endpoints.ts'
import * as incidents from './incidents.ts'
import * as operations from './operations.ts'
import * as pages from './pages-of-readers.ts'
import { ids } from './records.ts'
import { status_pages_show } from './render.ts'
import * as subscribers from './subscribers.ts'
import * as subscribing from './subscription-operations.ts'
import * as tasks from './tasks.ts'

export default area({
  name: 'Status pages',
  description: 'Public pages that show uptime checks, incidents and planned maintenance.',
  manual: '/documentation/status-pages',
  operations: [operations, incidents, { status_pages_show }, subscribing],
  views: () => import('./pages.tsx'),
  asked: {
    status_pages_create: 'public status page, status site, show uptime to customers, statuspage, new status page',
    status_pages_list: 'our status pages, address of the status page',
    status_incidents_create:
      'report an incident, tell customers about an outage, announce maintenance, schedule maintenance, maintenance window, planned downtime',
    status_incident_updates_create: 'resolve the incident, post an update, incident update, reopen the incident, tell that it is fixed',
    status_incidents_list: 'open incidents of the status page, planned maintenance, past incidents',
    status_subscribers_list: 'who is subscribed to the status page, subscribers',
  },
  endpoints,
  pages,
  subscribers,
  tasks,
  ids,
  tables: [
    'status_pages',
    'status_page_groups',
    'status_page_checks',
    'status_incidents',
    'status_incident_checks',
    'status_incident_updates',
    'status_subscribers',
    'status_messages',
  ],
  expiring: [{ table: 'status_subscribers', key: ['id'], from: 'pending_until', afterMs: 0 }],
  example: () => import('./example.ts'),
})
