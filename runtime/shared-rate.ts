/**
 * Limits that all processes count together, in the database: for what somebody would rather try at every process in
 * turn, such as passwords. An attempt is counted before it is made, so that many at once gain nothing.
 */
import { hash } from 'node:crypto'
import type { Trx } from '../storage/store.ts'
import { fail } from './errors.ts'

export interface SharedLimit {
  readonly name: string
  /** Attempts in a window; 0 = no limit. */
  readonly limit: number
  readonly windowMs: number
}

/** Names nobody: the addresses of people do not lie about in a table of counts. */
const whoOf = (who: string): string => hash('sha256', who).slice(0, 32)

/** Counts an attempt. @returns seconds until there may be another where this is one too many; 0 otherwise */
export async function countShared(trx: Trx, { name, limit, windowMs }: SharedLimit, who: string, now: number): Promise<number> {
  if (limit === 0) return 0
  const { count, ends_at } = await trx
    .insertInto('attempts')
    .values({ limit_name: name, who: whoOf(who), count: 1, ends_at: now + windowMs })
    .onConflict(on =>
      on.columns(['limit_name', 'who']).doUpdateSet(({ eb, ref, val }) => ({
        count: eb
          .case()
          .when('attempts.ends_at', '<=', now)
          .then(1)
          .else(eb('attempts.count', '+', 1))
          .end(),
        ends_at: eb
          .case()
          .when('attempts.ends_at', '<=', now)
          .then(val(now + windowMs))
          .else(ref('attempts.ends_at'))
          .end(),
      })),
    )
    .returning(['count', 'ends_at'])
    .executeTakeFirstOrThrow()
  return count > limit ? Math.max(1, Math.ceil((ends_at - now) / 1000)) : 0
}

/** Takes an attempt back that was none, as it went well. */
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
  fail('rate_limited', `Too many tries; try again in ${seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`}.`, [], {
    'Retry-After': String(seconds),
  })
}
