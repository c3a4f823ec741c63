/** Messages of notification channels: faults of their fields, test messages, and errors of attempts. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('channels', {
  the_test_message_was_sent: 'The test message was sent.',
  the_test_message_was_not_sent: 'The test message was not sent.',
  the_test_message_is_on_its: 'The test message is on its way.',
  too_many_channels: 'A workspace may have at most {most} notification channels.',
  test_title: 'Test: this channel works',
  test_text: 'Alerts that name the channel "{name}" are sent here.',
  field_not_used: '{field} must be left out for a channel of kind {kind}.',
  emails_required: '{field} is required, with at least one address, for a channel of kind {kind}.',
  emails_not_used: '{field} must be left out or empty for a channel of kind {kind}.',
  field_required: '{field} is required for a channel of kind {kind}.',
  url_unreadable: 'The stored URL was encrypted with a different SECRET_KEY. Enter the URL again.',
  no_mail: 'E-mail is not set up: this installation has no SMTP_URL.',
  mailboxes_refused: 'The mail server refused {addresses}.',
  answered: 'The answer was {status}.',
  answered_with: 'The answer was {status}: {text}',
})
