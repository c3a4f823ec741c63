/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('members', {
  not_yourself: 'Nobody deactivates themselves.',
  last_owner: 'This is the last active owner of the workspace; make another member owner first.',
})
