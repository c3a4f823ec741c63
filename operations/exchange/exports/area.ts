import { area } from '../../../runtime/table/area.ts'
import * as endpoints from './endpoints.ts'
import * as events from './events.ts'
import * as ofWorkspace from './of-workspace.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'
import * as tasks from './tasks.ts'

export default area({
  name: 'Exports',
  description: 'Data as files: hits, visits, daily totals.',
  manual: '/documentation/export',
  operations: [operations, ofWorkspace],
  views: () => import('./pages.tsx'),
  asked: {
    exports_create: 'export data, download raw data, csv, parquet, take my data out, backup of the hits, leave',
    workspaces_export: 'export the workspace, move to another server, take everything along, leave, copy of all sites and data',
    exports_list: 'downloads, exported files, is the export ready',
  },
  endpoints,
  events,
  ids,
  tasks,
  tables: ['exports'],
  example: () => import('./example.ts'),
})
