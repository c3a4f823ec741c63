import { hashCredential } from '../../../runtime/call/credentials.ts'
import type { Config } from '../../../runtime/settings/config.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { idKind } from '../../../runtime/values/ids.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'
import { countOf } from '../../../storage/sql/page.ts'
import type { Db } from '../../../storage/store.ts'
import type { SignUpRow } from '../../../storage/tables/sign-up.ts'
import { canMail } from '../mail/index.ts'
import { SIGN_UP } from '../sign-in/index.ts'
import { m } from './messages.ts'

export const ids = { sign_up: idKind('sup_') }
/** How long the mailed link is valid, ms. */
export const goodMs = 3 * DAY_MS

export const isOpen = (config: Config): boolean => config.of(SIGN_UP) === 'open' && canMail(config)

/** @throws Failure `invalid_state` if accounts are created only by invitation */
export function demandOpen(config: Config): void {
  if (config.of(SIGN_UP) !== 'open') fail('invalid_state', m.accounts_by_invitation())
  if (!canMail(config)) fail('invalid_state', m.no_mails())
}

/** Finds the sign-up of a valid link. */
export function findSignUp(db: Db, secret: string, now: number): Promise<SignUpRow | undefined> {
  return db.selectFrom('sign_ups').selectAll().where('hash', '=', hashCredential(secret)).where('expires_at', '>', now).executeTakeFirst()
}

/** Counts the people who signed up with a code in a box and have not opened the mailed link. */
export const waitingInBox = (db: Db, code: string, now: number): Promise<number> =>
  countOf(db.selectFrom('sign_ups').where('code', '=', code).where('via', '=', 'box').where('expires_at', '>', now))
