import { area } from '../../../runtime/table/area.ts'
import { feedback_create, help_get, ids } from './operations.ts'
import * as endpoints from './endpoints.ts'
import * as settings from './settings.ts'

export default area({
  name: 'Help and feedback',
  description: 'Links to help, and feedback to the operator.',
  manual: '/documentation/pages',
  operations: { help_get, feedback_create },
  views: () => import('./pages.tsx'),
  asked: {
    help_get: 'help, support, contact, which version, where is the manual',
    feedback_create: 'send feedback, report a bug, report a problem, suggest a feature, complain, praise, tell the developers',
  },
  endpoints,
  settings,
  ids,
  tables: ['feedback'],
})
