import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'
import { two_factor } from './pages.tsx'
import * as subscribers from './subscribers.ts'

export default area({
  name: 'Second factor',
  description: 'Second factor: codes that sign-in requires in addition to the password.',
  manual: '/documentation/sign-in#ways-in',
  section: 'Account',
  operations,
  pages: { two_factor },
  subscribers,
  tables: ['totp', 'recovery_codes'],
  sealed: [{ table: 'totp', column: 'secret', key: ['account_id'] }],
  example: () => import('./example.ts'),
})
