/** Messages of the search. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('search', {
  kind_must_be: 'kinds.{index} must be one of {kinds}.',
  site_must_be: 'site_id must be the id of a site of the workspace that the caller may see.',
  pages_and_settings: 'Pages, settings and actions',
  ask_this: 'Ask: {question}',
  search_says: 'Sites, goals, alerts, members, pages of the manual: everything that has a name.',
  found_nothing: 'Nothing is called like “{text}”.',
  search_hint: 'Try fewer letters, or another word.',
  searched_site: 'In {site} and what its visitors saw.',
  search_all: 'Search the whole workspace',
})
