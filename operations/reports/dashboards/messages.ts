/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('dashboards', {
  site_gone: 'The site of this card is gone; change the card or remove it.',
  funnel_gone: 'The funnel of this card is gone; change the card.',
  not_one_of: '{field} must be one of {known}; received {received}.',
  funnel_required: '{field} is required of funnel cards.',
  no_site: '{field} must be the id of a site this caller may see; received {received}.',
  no_funnel: '{field} must be the id of a funnel of the site; received {received}.',
})
