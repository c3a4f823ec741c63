import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'
import { sign_up, sign_up_confirm } from './page.tsx'
import { ids } from './records.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

export default area({
  name: 'Sign-up',
  description: 'Sign-up: people create an account themselves, if the installation allows it.',
  section: 'Account',
  operations,
  pages: { sign_up, sign_up_confirm },
  ids,
  tables: ['sign_ups'],
  expiring: [{ table: 'sign_ups', key: ['id'], from: 'expires_at', afterMs: DAY_MS }],
  example: () => import('./example.ts'),
})
