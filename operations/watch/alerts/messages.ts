/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('alerts', {
  alert_muted: 'Alert muted.',
  alert_unmuted: 'Alert unmuted.',
})
