/** Messages about members and the last owner. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('members', {
  joined_at: 'Joined {when}',
  not_yourself: 'You cannot deactivate yourself.',
  last_owner: 'This is the last active owner of the workspace; make another member owner first.',
})
