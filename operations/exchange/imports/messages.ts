/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('imports', {
  the_check_of_an_import_into: 'The check of an import into {site} is done',
  the_check_of_an_import_into_2: 'The check of an import into {site} failed',
  the_import_into_site_is_done: 'The import into {site} is done',
  the_import_into_site_failed: 'The import into {site} failed',
  import_created: 'Import created.',
  the_import_failed: 'The import failed.',
  import_started: 'Import started.',
  import_cancelled: 'Import cancelled.',
  import_finished: 'Import finished.',
})
