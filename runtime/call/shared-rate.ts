/**
 * Limits that all processes count together, in the database, for attempts that an attacker would otherwise repeat at every
 * process, such as passwords. An attempt is counted before it is made, so that concurrent attempts gain nothing.
 */
import { hash } from 'node:crypto'
import type { Db, Trx } from '../../storage/store.ts'
import { fail } from '../table/errors.ts'
import { m } from './messages.ts'

export interface SharedLimit {
  readonly name: string
  /** Attempts in a window; 0 = no limit. */
  readonly limit: number
  readonly windowMs: number
}

/** A hash, so that the table of counts stores no address of a person. */
const whoOf = (who: string): string => hash('sha256', who).slice(0, 32)

/** An addition to a counter. A counter that it starts ends at `endsAt`. */
export interface Added {
  readonly name: string
  readonly who: string
  readonly times: number
  readonly endsAt: number
}

/** Adds to counts, each named once. @returns the counts and their ends, in the order of `added` */
export async function addShared(db: Db, added: readonly Added[], now: number): Promise<{ count: number; ends_at: number }[]> {
  const rows = added.map(({ name, who, times, endsAt }) => ({ limit_name: name, who: whoOf(who), count: times, ends_at: endsAt }))
  const counted = await db
    .insertInto('attempts')
    // Sorted, so that two processes do not deadlock.
    .values(rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)))
    .onConflict(on =>
      on.columns(['limit_name', 'who']).doUpdateSet(({ eb, ref }) => ({
        count: eb
          .case()
          .when('attempts.ends_at', '<=', now)
          .then(ref('excluded.count'))
          .else(eb('attempts.count', '+', ref('excluded.count')))
          .end(),
        ends_at: eb.case().when('attempts.ends_at', '<=', now).then(ref('excluded.ends_at')).else(ref('attempts.ends_at')).end(),
      })),
    )
    .returning(['limit_name', 'who', 'count', 'ends_at'])
    .execute()
  const byKey = new Map(counted.map(row => [keyOf(row), row]))
  return rows.map(row => byKey.get(keyOf(row)) ?? row)
}

const keyOf = ({ limit_name, who }: { limit_name: string; who: string }): string => `${limit_name} ${who}`

/** Counts an attempt. @returns seconds until the next attempt is allowed, if this attempt exceeds the limit; otherwise 0 */
export async function countShared(
  trx: Trx,
  { sharedLimit: { name, limit, windowMs }, who, now }: { sharedLimit: SharedLimit; who: string; now: number },
): Promise<number> {
  if (limit === 0) return 0
  const [counted] = await addShared(trx, [{ name, who, times: 1, endsAt: now + windowMs }], now)
  const { count = 0, ends_at = now } = counted ?? {}
  return count > limit ? Math.max(1, Math.ceil((ends_at - now) / 1000)) : 0
}

/** Takes back the count of an attempt that succeeded. */
export async function uncountShared(trx: Trx, { name, limit }: SharedLimit, who: string): Promise<void> {
  if (limit === 0) return
  await trx
    .updateTable('attempts')
    .set(({ eb }) => ({ count: eb('count', '-', 1) }))
    .where('limit_name', '=', name)
    .where('who', '=', whoOf(who))
    .where('count', '>', 0)
    .execute()
}

export function tooMany(seconds: number): never {
  fail('rate_limited', seconds < 120 ? m.too_many_tries({ seconds }) : m.too_many_tries_minutes({ minutes: Math.ceil(seconds / 60) }), {
    headers: {
      'Retry-After': String(seconds),
    },
  })
}
