import { area } from '../../../runtime/table/area.ts'
import * as events from './events.ts'
import * as meters from './meters.ts'
import * as operations from './operations.ts'
import * as probes from './probes/operations.ts'
import { probe } from './probes/records.ts'
import { ids } from './records.ts'
import { PROBE_LOCATION, PROBE_RANGES } from './settings.ts'
import * as subscribers from './subscribers.ts'
import * as tasks from './tasks.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

export default area({
  name: 'Uptime',
  description: 'Checks that probe targets from several locations, and notify you when they go down.',
  manual: '/documentation/uptime',
  operations: [operations, probes],
  views: () => import('./pages.tsx'),
  everyday: ['workspace_uptime_checks_list', 'uptime_checks_get'],
  asked: {
    uptime_checks_create:
      'monitor a url, monitor the website, check every minute, ping, watch the uptime, new monitor, start monitoring, watch an endpoint, watch my api, watch a url, monitor my api',
    workspace_uptime_checks_create: 'monitor a server, monitor a url',
    workspace_uptime_checks_list:
      'is the site down, is it up, uptime, availability, outages, status of all checks, certificate expires, what is down, monitors, reachable, offline, online, server, is the server up, is the shop up, working, unavailable',
    uptime_checks_list: 'is the site down, is the website up, uptime of the site, monitors of a site, outages, reachable, offline',
    uptime_checks_get:
      'response time, response time by location, outage history, outages, incidents of a check, certificate expiry, when does the certificate expire, ssl, tls, is it down, downtime, availability, how often was it offline, how long was it down, percent of uptime, sla, latency, latency from a region, response times',
    uptime_checks_pause:
      'stop monitoring, maintenance, pause monitoring, suspend, switch off the check, turn off a check, disable a check, during the deploy',
    uptime_checks_resume: 'start monitoring again, resume, restart the check, start again, unpause',
    uptime_checks_update: 'change the interval',
  },
  events,
  tasks,
  subscribers,
  settings: { PROBE_LOCATION, PROBE_RANGES },
  meters,
  authenticators: { probe },
  ids,
  tables: [
    'uptime_checks',
    'uptime_locations',
    'uptime_results',
    'uptime_periods',
    'uptime_incidents',
    'uptime_days',
    'uptime_maintenance',
    'uptime_domains',
    'probe_tokens',
  ],
  expiring: [{ table: 'uptime_maintenance', key: ['check_number', 'planned_by', 'starts_at'], from: 'ends_at', afterMs: 100 * DAY_MS }],
  example: () => import('./example.ts'),
})
