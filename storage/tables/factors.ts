/** Second factors, passkeys, and messages that wait to be mailed or answered. */
import { text, int, bigint, instant, flag, json, reference, nullable, unique } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const totp = table(
  {
    account_id: reference('accounts'),
    /** Sealed. */
    secret: text,
    /** Null until the first code was right. */
    enabled_at: nullable(instant),
    /** The last step that was accepted: no code is good twice. */
    last_step: bigint,
  },
  { key: ['account_id'] },
)
export type TotpRow = Row<typeof totp>

export const recovery_codes = table(
  {
    account_id: reference('accounts'),
    /** SHA-256, hex: the codes are random, of 118 bits (79 before 0.7). */
    hash: text,
    /** Null for codes of before 0.7. */
    created_at: nullable(instant),
  },
  { key: ['account_id', 'hash'] },
)
export type RecoveryCodeRow = Row<typeof recovery_codes>

export const passkeys = table(
  {
    id: text,
    account_id: reference('accounts'),
    name: text,
    /** Base64url, as browsers name it. */
    credential_id: unique(text),
    /** COSE key, base64url. */
    public_key: text,
    counter: bigint,
    /** JSON list of how it is reached: `["internal"]`. */
    transports: json,
    /** Whether it is kept in more than one place. */
    backed_up: flag,
    last_used_at: nullable(instant),
    created_at: instant,
  },
  { indexes: [['account_id']] },
)
export type PasskeyRow = Row<typeof passkeys>

/** A challenge that a browser signs, once. */
export const passkey_challenges = table(
  {
    hash: text,
    /** The account that adds a passkey; null for a sign-in, where it is not known yet. */
    account_id: nullable(reference('accounts')),
    expires_at: instant,
  },
  { key: ['hash'] },
)
export type PasskeyChallengeRow = Row<typeof passkey_challenges>

export const mails = table(
  {
    id: text,
    recipient: text,
    /** Subject and text. */
    sealed: text,
    attempt: int,
    due_at: instant,
    leased_until: nullable(instant),
    created_at: instant,
  },
  { indexes: [['due_at']] },
)
export type MailRow = Row<typeof mails>

/** Somebody typed this address as the one whose password they forgot; whether anybody has it is looked up later. */
export const reset_requests = table(
  {
    id: text,
    email: text,
    due_at: instant,
    leased_until: nullable(instant),
    created_at: instant,
  },
  { indexes: [['due_at']] },
)
export type ResetRequestRow = Row<typeof reset_requests>
