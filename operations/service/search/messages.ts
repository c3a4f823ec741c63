/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('search', {
  kind_must_be: 'kinds.{index} must be one of {kinds}.',
  site_must_be: 'site_id must be the id of a site of the workspace that the caller may see.',
})
