/** Messages of webhooks: results of deliveries, and errors. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('webhooks', {
  the_test_delivery_arrived: 'The test delivery arrived.',
  the_test_delivery_failed: 'The test delivery failed.',
  test_pending: 'The test delivery is on its way.',
  the_delivery_arrived: 'The delivery arrived.',
  the_delivery_failed_again: 'The delivery failed again.',
  the_delivery_is_on_its_way: 'The delivery is on its way.',
  too_many_webhooks: 'A workspace may have at most {most} webhooks.',
  webhook_disabled: 'The webhook is disabled; enable it first.',
  secret_unreadable: '{code}: the stored secret was encrypted with a different SECRET_KEY; rotate it',
  attempt: 'attempt {number}',
  sent_and_answer: 'What was sent, and what came back',
  sent_only: 'What was sent',
  the_answer: 'The answer:',
  url_label: 'Send events to',
  url_help: 'Address of your program. It receives each event as JSON, signed, and answers with a status of 200 to 299.',
  events_label: 'When',
})
