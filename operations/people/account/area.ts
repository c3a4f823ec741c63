import { area } from '../../../runtime/area.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'

export default area({
  name: 'Account',
  description: 'The account of the member who owns the token.',
  operations,
  asked: {
    account_get: 'my profile, who am i, my email address',
    account_update: 'change my email, change my name, language of the app, theme, dark mode, unsubscribe',
  },
  ids,
  tables: ['accounts'],
})
