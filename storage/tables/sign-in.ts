/** How people sign in: what they prove themselves with, hashed or sealed, and where they are signed in. */

export interface PasswordRow {
  account_id: string
  /** Argon2id in the PHC form. */
  hash: string
  changed_at: number
}

export interface SessionRow {
  id: string
  account_id: string
  /** SHA-256 of the cookie's value, hex. */
  hash: string
  /** The way of the last sign-in: `password`, `passkey`, `link`, `sso`. */
  method: string
  /** When it was proved last: sensitive changes want that to be recent. */
  signed_in_at: number
  last_used_at: number
  /** Slides with use. */
  expires_at: number
  ip: string
  user_agent: string
  created_at: number
}

/** A browser that an account has signed in from, by the cookie that it keeps. */
export interface DeviceRow {
  account_id: string
  hash: string
  seen_at: number
}

/** A secret that does one thing once: a link of the machine or a mail, a sign-in that waits for its second factor. */
export interface OneTimeLinkRow {
  id: string
  kind: string
  hash: string
  account_id: string
  /** The address that it confirms, where it confirms one. */
  email: string | null
  created_at: number
  expires_at: number
}

/** Attempts of a window, counted by all processes together. */
export interface AttemptRow {
  /** The limit's name, and a hash of whom it counts. */
  limit_name: string
  who: string
  count: number
  ends_at: number
}

declare module './index.ts' {
  interface Tables {
    passwords: PasswordRow
    sessions: SessionRow
    devices: DeviceRow
    one_time_links: OneTimeLinkRow
    attempts: AttemptRow
  }
}
