import { m } from '../messages.ts'
import type { Say } from '../../../../runtime/texts/say.ts'

/** Errors of `client/passkeys.js` when a passkey fails, in the language of the page. */
export const passkeyTrouble = (say: Say) => ({
  'data-cancelled': say(m.passkey_cancelled),
  'data-wrong-password': say(m.current_password_wrong),
  'data-failed': say(m.sign_in_failed),
})
