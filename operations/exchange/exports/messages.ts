/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('exports', {
  the_export_of_site_is_ready: 'The export of {site} is ready',
  the_export_of_site_failed: 'The export of {site} failed',
  it_belongs_to_kind_from_to: 'It belongs to {kind}, {from} to {to}.',
  the_file_is_ready: 'The file is ready.',
  the_export_failed: 'The export failed.',
  export_created: 'Export created.',
  export_cancelled: 'Export cancelled.',
})
