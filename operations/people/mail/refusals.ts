/** Mailboxes that do not exist: mails to them harm the sender’s good name, so they end. */

/** Mails in a row that a mailbox may refuse for good; then nothing is sent there until somebody names it again. */
export const MOST_REFUSALS = 3

/** Whether the server refused the mailbox itself, for good: 5xx at RCPT TO (RFC 5321 §4.2.1). @param thrown by `mailer.send` */
export const isRefusedMailbox = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  'command' in thrown &&
  thrown.command === 'RCPT TO' &&
  'responseCode' in thrown &&
  typeof thrown.responseCode === 'number' &&
  thrown.responseCode >= 500
