/** Passwords, sessions and one-time links of accounts, and counts of attempts. */
import { text, int, instant, reference, nullable, unique } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const passwords = table(
  {
    account_id: reference('accounts'),
    /** Argon2id in PHC format. */
    hash: text,
    changed_at: instant,
  },
  { key: ['account_id'] },
)
export type PasswordRow = Row<typeof passwords>

export const sessions = table(
  {
    id: text,
    account_id: reference('accounts'),
    /** SHA-256 of the cookie's value, hex. */
    hash: unique(text),
    /** Method of the last sign-in: `password`, `passkey`, `link` or `sso`. */
    method: text,
    /** Time of the last sign-in, which must be recent for sensitive changes. */
    signed_in_at: instant,
    last_used_at: instant,
    /** Extended by each use. */
    expires_at: instant,
    ip: text,
    user_agent: text,
    created_at: instant,
  },
  { indexes: [['account_id']] },
)
export type SessionRow = Row<typeof sessions>

/** A browser from which an account has signed in, identified by a cookie. */
export const devices = table(
  {
    account_id: reference('accounts'),
    hash: text,
    seen_at: instant,
  },
  { key: ['account_id', 'hash'] },
)
export type DeviceRow = Row<typeof devices>

/** A secret for one use: a link from the machine or a mail, or a sign-in before its second factor. */
export const one_time_links = table(
  {
    id: text,
    kind: text,
    hash: unique(text),
    account_id: reference('accounts'),
    /** The address that the link confirms; null if it confirms none. */
    email: nullable(text),
    created_at: instant,
    expires_at: instant,
  },
  { indexes: [['account_id']] },
)
export type OneTimeLinkRow = Row<typeof one_time_links>

/** Number of attempts in a window, counted by all processes together. */
export const attempts = table(
  {
    /** Name of the limit, and a hash of the counted address or account. */
    limit_name: text,
    who: text,
    count: int,
    ends_at: instant,
  },
  { key: ['limit_name', 'who'] },
)
export type AttemptRow = Row<typeof attempts>
