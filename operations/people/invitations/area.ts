import { area } from '../../../runtime/table/area.ts'
import * as accepting from './accept.ts'
import * as operations from './operations.ts'
import { invitation } from './page.tsx'
import { ids } from './records.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

export default area({
  name: 'Invitations',
  description: 'Invitations: links with which people become members.',
  manual: '/documentation/sign-in#members',
  section: 'Members',
  operations: [operations, accepting],
  asked: {
    invitations_create:
      'invite a colleague, add a member, add someone to the team, add a user, give someone access, onboard, share access with',
    invitations_list: 'who was invited, pending invitations, open invitations, has not accepted yet',
    invitations_delete: 'cancel an invitation, withdraw an invitation, revoke an invitation, invited the wrong person',
    invitations_resend: 'send the invitation again, did not get the invitation, resend the invite, invitation link expired, remind',
  },
  pages: { invitation },
  views: () => import('./pages.tsx'),
  ids,
  tables: ['invitations'],
  expiring: [{ table: 'invitations', key: ['id'], from: 'expires_at', afterMs: 30 * DAY_MS }],
  example: () => import('./example.ts'),
})
