/** Messages of the audit log. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('audit', {
  audit_says: 'What was done, the latest first',
  what: 'What',
  who: 'Who',
  how: 'How',
  refused: 'refused',
  details: 'Details',
  operation: 'Operation',
  request: 'Request',
  restore: 'Restore',
  changed_field: 'Field',
  before: 'Before',
  after: 'After',
})

/** The ways by which a caller came in. */
export const doorNames = messages('value', {
  session: 'session',
  setup: 'setup',
  command: 'command',
  'sign-in-link': 'sign-in-link',
  oauth: 'oauth',
})

/** Fields of entries that no operation has: what commands on the machine note. */
export const fieldNames = messages('field', { reset_two_factor: 'Reset two factor' })
