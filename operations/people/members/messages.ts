/** Messages about members and the last owner. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('members', {
  joined_at: 'Joined {when}',
  not_yourself: 'You cannot deactivate yourself.',
  last_owner: 'This is the last active owner of the workspace; make another member owner first.',
  change_of: 'Change: {name}',
  save_role: 'Save the role',
  deactivate: 'Deactivate …',
  activate: 'Activate …',
  remove: 'Remove …',
  access: 'Access',
  access_help: 'While deactivated, they cannot use the workspace, and their tokens do not work.',
  role_help: 'Applies at once. You can give only roles whose permissions you have.',
})
