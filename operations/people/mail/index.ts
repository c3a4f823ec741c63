/** What other areas may use of this one. */
export { mailer } from './mailer.ts'
export { sendNotice } from './notice.ts'
export { canMail, type Mail, type Mailing, queueMail } from './queue.ts'
