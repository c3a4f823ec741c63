import { area } from '../../../runtime/area.ts'
import * as operations from './operations.ts'
import * as pages from './pages.tsx'
import { ids } from './records.ts'
import * as settings from './settings.ts'

export default area({
  name: 'Sign-in',
  description: 'How people sign in, and find their way back.',
  section: 'Account',
  operations,
  pages,
  settings,
  ids,
  tables: ['passwords', 'one_time_links'],
  expiring: [{ table: 'one_time_links', key: ['id'], from: 'expires_at', afterMs: 0 }],
  example: () => import('./example.ts'),
})
