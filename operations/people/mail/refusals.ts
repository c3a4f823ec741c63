/** Mailboxes that do not exist. Mails to them harm the sender's reputation, so Footfall stops sending them. */

/** Number of consecutive mails that a mailbox may reject permanently. Then nothing is sent there until the address is set again. */
export const MAX_REFUSALS = 3

/** Whether the server rejected the mailbox itself, permanently: 5xx at RCPT TO (RFC 5321 §4.2.1). @param thrown by `mailer.send` */
export const isRefusedMailbox = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  'command' in thrown &&
  thrown.command === 'RCPT TO' &&
  'responseCode' in thrown &&
  typeof thrown.responseCode === 'number' &&
  thrown.responseCode >= 500
