/** What this area says to people. */
import { messages } from '../texts/message.ts'

export const m = messages('call', {
  what_you_typed_is_here_again:
    'What you typed is here again. Look at it, and send it. Passwords and other secrets have to be typed again.',
})
