import { area } from '../../../runtime/table/area.ts'
import { session } from './authenticator.ts'
import * as operations from './operations.ts'
import { SESSION_DAYS } from './lifetime.ts'
import { ids } from './records.ts'
import * as subscribers from './subscribers.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

export default area({
  name: 'Sessions',
  description: 'Sessions: the browsers in which people are signed in.',
  manual: '/documentation/sign-in#what-is-stored',
  section: 'Account',
  operations,
  subscribers,
  authenticators: { session },
  ids,
  settings: { SESSION_DAYS },
  tables: ['sessions', 'devices'],
  expiring: [
    { table: 'sessions', key: ['id'], from: 'expires_at', afterMs: 0 },
    { table: 'devices', key: ['account_id', 'hash'], from: 'seen_at', afterMs: 400 * DAY_MS },
  ],
  example: () => import('./example.ts'),
})
