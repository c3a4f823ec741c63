import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'
import * as pending from './pending.ts'
import { ids } from './records.ts'
import * as undoing from './undo-operation.ts'
import * as verifying from './verify-operation.ts'

export default area({
  name: 'Account',
  description: 'The account of a person: name, preferences and ways to sign in.',
  manual: '/documentation/sign-in',
  operations: [operations, pending, verifying, undoing],
  asked: {
    account_get: 'my profile, who am i, my email address',
    account_email_verify: 'verify my address, confirm my email address, my address is not verified',
    account_update: 'change my email, change my name, language of the app, theme, dark mode, unsubscribe',
  },
  ids,
  tables: ['accounts'],
  example: () => import('./example.ts'),
})
