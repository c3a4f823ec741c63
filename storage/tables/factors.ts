/** Second factors, passkeys, mails to send, and password resets that were requested. */
import { text, int, bigint, instant, flag, json, reference, nullable, unique } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const totp = table(
  {
    account_id: reference('accounts'),
    /** Sealed. */
    secret: text,
    /** Null until a first code was correct. */
    enabled_at: nullable(instant),
    /** The last accepted time step, so that no code is accepted twice. */
    last_step: bigint,
  },
  { key: ['account_id'] },
)
export type TotpRow = Row<typeof totp>

export const recovery_codes = table(
  {
    account_id: reference('accounts'),
    /** SHA-256 in hex. The codes are random with 118 bits (79 before 0.7). */
    hash: text,
    /** Null for codes from before 0.7. */
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
    /** JSON list of transports, for example `["internal"]`. */
    transports: json,
    /** 1 if the authenticator has a backup of the key. */
    backed_up: flag,
    last_used_at: nullable(instant),
    created_at: instant,
  },
  { indexes: [['account_id']] },
)
export type PasskeyRow = Row<typeof passkeys>

/** A challenge that a browser signs once. */
export const passkey_challenges = table(
  {
    hash: text,
    /** The account that adds a passkey; null for a sign-in, whose account is not known yet. */
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

/** A request to reset the password of an address. A task looks up later whether an account has it. */
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
