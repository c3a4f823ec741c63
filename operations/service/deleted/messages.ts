/** Messages of the list of deleted records. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('deleted', {
  deleted_says: 'Deleted records, the latest first',
  what: 'What',
  deleted: 'Deleted',
  until: 'Can be restored until',
  restore: 'Restore',
})
