import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'
import * as subscribers from './subscribers.ts'

export default area({
  name: 'Passkeys',
  description: 'Passkeys: keys on devices that replace a password.',
  manual: '/documentation/sign-in#ways-in',
  section: 'Account',
  operations,
  ids,
  subscribers,
  tables: ['passkeys', 'passkey_challenges'],
  expiring: [{ table: 'passkey_challenges', key: ['hash'], from: 'expires_at', afterMs: 0 }],
  example: () => import('./example.ts'),
})
