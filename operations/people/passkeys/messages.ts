/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('passkeys', {
  most_passkeys: 'An account has {most, number} passkeys at most.',
  another_passkey: 'This is not the passkey that was asked for, or too late: try again.',
  passkey_added: 'A passkey was added to your account.',
  only_way_in: 'This is the only way into your account: set a password first.',
  passkey_deleted: 'A passkey of your account was deleted.',
})
