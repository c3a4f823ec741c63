import { area } from '../../../runtime/area.ts'
import * as events from './events.ts'
import * as meters from './meters.ts'
import * as operations from './operations.ts'
import * as probes from './probes/operations.ts'
import { probe } from './probes/records.ts'
import { ids } from './records.ts'
import { PROBE_LOCATION, PROBE_RANGES } from './settings.ts'
import * as subscribers from './subscribers.ts'
import * as tasks from './tasks.ts'

export default area({
  name: 'Uptime',
  description: 'Checks that probe targets from several locations, and tell when they go down.',
  operations: [operations, probes],
  everyday: ['workspace_uptime_checks_list', 'uptime_checks_list', 'uptime_checks_get'],
  events,
  tasks,
  subscribers,
  settings: { PROBE_LOCATION, PROBE_RANGES },
  meters,
  authenticators: { probe },
  ids,
  tables: ['uptime_checks', 'uptime_locations', 'uptime_results', 'uptime_periods', 'uptime_incidents', 'uptime_domains', 'probe_tokens'],
  example: () => import('./example.ts'),
})
