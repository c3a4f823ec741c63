/** Names of unrecognized browsers. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('sessions', {
  an_unknown_browser: 'An unknown browser',
  a_browser_on_system: 'A browser on {system}',
  browser_on_system: '{browser} on {system}',
})
