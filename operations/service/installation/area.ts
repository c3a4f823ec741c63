import { area } from '../../../runtime/table/area.ts'
import * as checks from './checks.ts'
import * as gauges from './gauges.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'
import * as settings from './settings.ts'
import * as tasks from './tasks.ts'

export default area({
  name: 'Installation',
  description: 'The state of the installation and its backups, for its operators.',
  manual: '/documentation/operations',
  operations,
  views: () => import('./pages.tsx'),
  asked: { installation_get: 'status of the server, backups, disk space, background tasks, version, is everything running' },
  checks,
  gauges,
  ids,
  settings,
  tasks,
  tables: ['backups'],
})
