/** Messages that several mails share. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('mail', {
  when_from_and_where: 'When: {when}\nFrom: {ip}, {browser}\nWhere: {address}',
  if_that_was_you_there_is:
    'If that was you, there is nothing to do. If it was not, set a new password at {forgot}. This signs out all other browsers. Then check {account}.',
})
