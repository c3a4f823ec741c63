import { area } from '../../../runtime/area.ts'
import * as operations from './operations.ts'
import * as tasks from './tasks.ts'

export default area({
  name: 'Events',
  description: 'The events of a site: how often, by whom, with what; how they are shown, and their end.',
  operations,
  everyday: ['events_list', 'events_get', 'event_properties_list'],
  tasks,
  tables: ['event_settings', 'property_settings', 'event_deletions'],
  expiring: [{ table: 'event_deletions', key: ['site_id', 'event'], from: 'finished_at', afterMs: 90 * 86_400_000 }],
})
