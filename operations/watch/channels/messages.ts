/** Messages of notification channels: faults of their fields, test messages, and errors of attempts. */
import { forPeople, messages } from '../../../runtime/texts/message.ts'

export const m = messages('channels', {
  test_sent: 'The test message was sent.',
  test_failed: 'The test message was not sent.',
  test_pending: 'The test message is on its way.',
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
  by_email: 'E-mail',
  webhook: 'Your program',
  messages_go_to: 'Messages go to',
  recipients: 'Recipients',
  add_recipient: 'Add a recipient',
  address_of_channel: 'Webhook address',
  url_of_slack:
    'In Slack: create an app with an incoming webhook for the channel, and copy its address here. Mattermost works the same way.',
  url_of_discord: 'In Discord: channel settings → Integrations → Webhooks → New webhook → Copy URL.',
  url_of_teams: 'In Teams: create a workflow that posts to the channel when a webhook request arrives, and copy its address here.',
  url_of_webhook: 'It receives each message as JSON. To receive events as well, create a webhook in the integrations instead.',
  url_stays: 'It stays unchanged while the field shows only its end.',
})

forPeople(m, {
  emails_required: '{field}: add at least one address.',
  field_required: '{field} is missing.',
})
