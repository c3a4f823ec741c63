/** Second factors, passkeys, and messages that wait to be mailed or answered. */

export interface TotpRow {
  account_id: string
  /** Sealed. */
  secret: string
  /** Null until the first code was right. */
  enabled_at: number | null
  /** The last step that was accepted: no code is good twice. */
  last_step: number
}

export interface RecoveryCodeRow {
  account_id: string
  /** SHA-256, hex: the codes are random, of 118 bits (79 before 0.7). */
  hash: string
  /** Null for codes of before 0.7. */
  created_at: number | null
}

export interface PasskeyRow {
  id: string
  account_id: string
  name: string
  /** Base64url, as browsers name it. */
  credential_id: string
  /** COSE key, base64url. */
  public_key: string
  counter: number
  /** JSON list of how it is reached: `["internal"]`. */
  transports: string
  /** Whether it is kept in more than one place. */
  backed_up: number
  last_used_at: number | null
  created_at: number
}

/** A challenge that a browser signs, once. */
export interface PasskeyChallengeRow {
  hash: string
  /** The account that adds a passkey; null for a sign-in, where it is not known yet. */
  account_id: string | null
  expires_at: number
}

export interface MailRow {
  id: string
  recipient: string
  /** Subject and text. */
  sealed: string
  attempt: number
  due_at: number
  leased_until: number | null
  created_at: number
}

/** Somebody typed this address as the one whose password they forgot; whether anybody has it is looked up later. */
export interface ResetRequestRow {
  id: string
  email: string
  due_at: number
  leased_until: number | null
  created_at: number
}

declare module './index.ts' {
  interface Tables {
    totp: TotpRow
    recovery_codes: RecoveryCodeRow
    passkeys: PasskeyRow
    passkey_challenges: PasskeyChallengeRow
    mails: MailRow
    reset_requests: ResetRequestRow
  }
}
