import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'
import { account, email_confirm } from './pages/account.tsx'
import { email_undo } from './pages/email-undo.tsx'
import { one_time_link } from './pages/link.tsx'
import { code, forgot, sign_in } from './pages/sign-in.tsx'
import { ids } from './records.ts'
import * as provers from './prover.ts'
import * as settings from './settings.ts'
import * as subscribers from './subscribers.ts'
import * as tasks from './tasks.ts'

export default area({
  name: 'Sign-in',
  description: 'Sign-in, and recovery of access.',
  manual: '/documentation/sign-in#ways-in',
  section: 'Account',
  operations,
  pages: { sign_in, code, forgot, one_time_link, account, email_confirm, email_undo },
  provers,
  settings,
  tasks,
  ids,
  subscribers,
  tables: ['passwords', 'reset_requests'],
  example: () => import('./example.ts'),
})
