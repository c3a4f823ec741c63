/** Exports of this area for other areas. */
export { sayTo, sayToAll } from './language.ts'
export { countMail } from './limit.ts'
export { linkFree } from './link-free.ts'
export { mailer, SENDING_MS, SlowServer } from './mailer.ts'
export { sendNotice } from './notice.ts'
export { canMail, type Mailing, queueMail } from './queue.ts'
export { isRefusedMailbox, MAX_REFUSALS } from './refusals.ts'
export { mailMember } from './member.ts'
