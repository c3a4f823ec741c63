/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('sites', {
  domain_taken: 'Another site of this installation has this domain or umami_id.',
  no_workspace: 'There is no such workspace that you are a member of.',
  no_permission_there: 'This needs the permission {permission} there.',
  new_visits: '{count} visits since you last looked',
  no_visitors_30: 'No visitors in 30 days',
  visitors_a_day: 'Visitors a day: {count}',
})
