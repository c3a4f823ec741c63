/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('events', {
  the_event_and_its_history_are: 'The event and its history are deleted.',
  the_event_could_not_be_deleted: 'The event could not be deleted.',
  the_event_and_its_history_are_2: 'The event and its history are being deleted.',
})
