/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('channels', {
  the_test_message_was_sent: 'The test message was sent.',
  the_test_message_was_not_sent: 'The test message was not sent.',
  the_test_message_is_on_its: 'The test message is on its way.',
})
