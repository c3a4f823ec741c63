/** Messages about passkeys. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('passkeys', {
  most_passkeys: 'An account has at most {most, number} passkeys.',
  another_passkey: 'This passkey does not match the request, or came too late. Try again.',
  passkey_added: 'A passkey was added to your account.',
  only_way_in: 'This passkey is the only way to sign in to your account. Set a password first.',
  passkey_deleted: 'A passkey of your account was deleted.',
})
