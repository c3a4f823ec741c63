/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('sites', {
  domain_taken: 'Another site of this installation has this domain or umami_id.',
  no_workspace: 'There is no such workspace that you are a member of.',
  no_permission_there: 'This needs the permission {permission} there.',
})
