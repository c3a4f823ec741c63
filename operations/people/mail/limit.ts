/** Limits mails to an address that a person typed: it may belong to another person and be typed again and again. */
import { countShared, type SharedLimit, tooMany } from '../../../runtime/call/shared-rate.ts'
import type { Trx } from '../../../storage/store.ts'
import { canMail, type Mailing } from './queue.ts'

const toAddress: SharedLimit = { name: 'mail-typed', limit: 5, windowMs: 15 * 60_000 }

/** Counts a mail before it is queued. @throws Failure `rate_limited` for the person who causes it */
export async function countMail({ db, now, config }: Pick<Mailing, 'db' | 'now' | 'config'>, to: string): Promise<void> {
  if (!canMail(config)) return
  const wait = await countShared(db as Trx, { sharedLimit: toAddress, who: to, now }) // a write receives its transaction
  if (wait > 0) tooMany(wait)
}
