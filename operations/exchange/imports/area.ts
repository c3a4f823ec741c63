import { area } from '../../../runtime/table/area.ts'
import { familyNames } from '../../../storage/tables/imported-families.ts'
import * as endpoints from './endpoints.ts'
import * as events from './events.ts'
import * as ofWorkspace from './of-workspace.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'
import * as settings from './settings.ts'
import * as subscribers from './subscribers.ts'
import * as tasks from './tasks.ts'
import * as upload from './upload.ts'

export default area({
  name: 'Imports',
  description: 'History from other products, read from files: hits, or daily totals.',
  manual: '/documentation/import',
  operations: [operations, upload, ofWorkspace],
  views: () => import('./pages.tsx'),
  asked: {
    imports_list: 'imports, imported history, what did we import, progress of the import, is the import done',
    workspaces_import: 'import a workspace, move from another server, restore all sites from an export of footfall',
    imports_create:
      'import history, move from plausible, migrate from umami, goatcounter, google analytics, simple analytics, upload old data, bring old statistics, historical data',
  },
  endpoints,
  events,
  ids,
  settings,
  subscribers,
  tasks,
  tables: [
    'hit_imports',
    'hit_import_refusals',
    'hit_import_days',
    'imports',
    'import_days',
    'import_refusals',
    ...familyNames.map(name => `imported_${name}` as const),
  ],
  sealed: [{ table: 'imports', column: 'url' }],
  example: () => import('./example.ts'),
})
