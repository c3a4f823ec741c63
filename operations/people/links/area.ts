import { area } from '../../../runtime/table/area.ts'
import { ids } from './links.ts'
import * as subscribers from './subscribers.ts'

export default area({
  name: 'One-time links',
  description: 'Secrets that are valid for one action: links of mails and of commands on the machine.',
  section: 'Account',
  ids,
  subscribers,
  tables: ['one_time_links'],
  expiring: [{ table: 'one_time_links', key: ['id'], from: 'expires_at', afterMs: 0 }],
})
