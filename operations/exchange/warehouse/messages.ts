/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('warehouse', {
  the_warehouse_sync_name_is_paused: 'The warehouse sync “{name}” is paused',
  the_warehouse_sync_name_fails: 'The warehouse sync “{name}” fails',
  the_warehouse_sync_name_has_failed:
    'The warehouse sync “{name}” has failed for 14 days and is not tried any more. Enable it again when its warehouse takes what it sends: everything that was not sent follows.',
  the_warehouse_sync_name_has_failed_2:
    'The warehouse sync “{name}” has failed 5 times in a row. It is tried every hour from now on; nothing is lost meanwhile.',
  the_last_error_error: 'The last error: {error}',
  the_warehouse_can_be_reached_and: 'The warehouse can be reached and written to.',
  the_warehouse_could_not_be_written: 'The warehouse could not be written to.',
  the_warehouse_is_being_tested: 'The warehouse is being tested.',
})
