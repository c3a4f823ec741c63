import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'

export default area({
  name: 'Workspaces',
  description: 'Workspaces contain members, API tokens and sites.',
  manual: '/documentation/glossary#in-the-product',
  operations,
  views: () => import('./pages.tsx'),
  asked: {
    workspace_settings_get: 'defaults of new sites, default time zone, default currency',
    workspace_settings_update:
      'require two-factor, require a second factor, require 2fa, change the default time zone, change the default currency, switch on the assistant',
    workspaces_list: 'which workspace, workspace i am in',
    workspaces_get: 'my workspace, name of the workspace',
    workspaces_update: 'rename the workspace',
  },
  ids,
  tables: ['workspaces', 'workspace_settings'],
})
