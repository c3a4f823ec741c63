/** How people sign in: what they prove themselves with, hashed or sealed, and where they are signed in. */
import { text, int, instant, reference, nullable, unique } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const passwords = table(
  {
    account_id: reference('accounts'),
    /** Argon2id in the PHC form. */
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
    /** The way of the last sign-in: `password`, `passkey`, `link`, `sso`. */
    method: text,
    /** When it was proved last: sensitive changes want that to be recent. */
    signed_in_at: instant,
    last_used_at: instant,
    /** Slides with use. */
    expires_at: instant,
    ip: text,
    user_agent: text,
    created_at: instant,
  },
  { indexes: [['account_id']] },
)
export type SessionRow = Row<typeof sessions>

/** A browser that an account has signed in from, by the cookie that it keeps. */
export const devices = table(
  {
    account_id: reference('accounts'),
    hash: text,
    seen_at: instant,
  },
  { key: ['account_id', 'hash'] },
)
export type DeviceRow = Row<typeof devices>

/** A secret that does one thing once: a link of the machine or a mail, a sign-in that waits for its second factor. */
export const one_time_links = table(
  {
    id: text,
    kind: text,
    hash: unique(text),
    account_id: reference('accounts'),
    /** The address that it confirms, where it confirms one. */
    email: nullable(text),
    created_at: instant,
    expires_at: instant,
  },
  { indexes: [['account_id']] },
)
export type OneTimeLinkRow = Row<typeof one_time_links>

/** Attempts of a window, counted by all processes together. */
export const attempts = table(
  {
    /** The limit's name, and a hash of whom it counts. */
    limit_name: text,
    who: text,
    count: int,
    ends_at: instant,
  },
  { key: ['limit_name', 'who'] },
)
export type AttemptRow = Row<typeof attempts>
