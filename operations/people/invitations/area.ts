import { area } from '../../../runtime/area.ts'
import * as accepting from './accept.ts'
import * as operations from './operations.ts'
import { invitation } from './page.tsx'
import { ids } from './records.ts'

export default area({
  name: 'Invitations',
  description: 'How people become members: by a link.',
  section: 'Members',
  operations: [operations, accepting],
  pages: { invitation },
  ids,
  tables: ['invitations'],
  expiring: [{ table: 'invitations', key: ['id'], from: 'expires_at', afterMs: 30 * 86_400_000 }],
  example: () => import('./example.ts'),
})
