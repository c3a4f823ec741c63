/** Messages about sites. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('sites', {
  domain_taken: 'Another site of this installation already has this domain or umami_id.',
  no_workspace: 'You are not a member of such a workspace.',
  no_permission_there: 'You need the permission {permission} in that workspace.',
  new_visits: '{count} visits since you last looked',
  no_visitors_30: 'No visitors in 30 days',
  visitors_a_day: 'visitors a day',
  others_see: 'Public figures and other products',
  domain_or_name: 'the domain or the name of the site',
})
