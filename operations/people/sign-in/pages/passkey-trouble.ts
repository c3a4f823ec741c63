import { m } from '../messages.ts'
import type { Say } from '../../../../runtime/texts/say.ts'

/** What `client/passkeys.js` says where a passkey did not do, in the language of the page. */
export const passkeyTrouble = (say: Say) => ({
  'data-cancelled': say(m.that_was_cancelled_or_took_too),
  'data-failed': say(m.sign_in_failed),
})
