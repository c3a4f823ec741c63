import type { Say } from '../../../../runtime/texts/index.ts'

/** What `client/passkeys.js` says where a passkey did not do, in the language of the page. */
export const passkeyTrouble = (say: Say) => ({
  'data-cancelled': say('That was cancelled, or took too long.'),
  'data-failed': say('That did not work. Try again, or sign in another way.'),
})
