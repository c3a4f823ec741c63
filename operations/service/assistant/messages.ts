/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('assistant', {
  most_messages: 'A conversation has at most {most, number} messages; begin another one.',
})
