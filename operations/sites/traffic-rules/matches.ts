/** Counts how often each rule decided, in memory, and writes the counts once a second. */
import type { Db, Store } from '../../../storage/store.ts'
import type { Matched } from './records.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

const WRITTEN_AFTER_MS = 1_000

export interface MatchCounter {
  count(ruleId: string): void
  /** Writes the counts. If the database refuses them, they are kept for the next attempt. */
  write(): Promise<void>
}

interface MatchCount {
  readonly rule_id: string
  readonly day: number
  readonly count: number
  readonly last_at: number
}

export function matchCounter(store: Store, now: () => number, onFault: (error: unknown) => void): MatchCounter {
  let counts = new Map<string, MatchCount>()
  let timer: NodeJS.Timeout | undefined

  const add = ({ rule_id, day, count, last_at }: MatchCount) => {
    const key = `${rule_id} ${day}`
    counts.set(key, { rule_id, day, count: count + (counts.get(key)?.count ?? 0), last_at })
    timer ??= setTimeout(() => void write().catch(onFault), WRITTEN_AFTER_MS).unref()
  }

  async function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    // In a fixed order, so that processes cannot deadlock.
    const rows = [...counts.values()].sort((a, b) => (a.rule_id < b.rule_id ? -1 : 1))
    if (rows.length === 0) return
    counts = new Map()
    try {
      await store.write
        .insertInto('traffic_rule_matches')
        .values(rows)
        .onConflict(conflict =>
          conflict.columns(['rule_id', 'day']).doUpdateSet(({ ref, eb }) => ({
            count: eb('traffic_rule_matches.count', '+', ref('excluded.count')),
            last_at: ref('excluded.last_at'),
          })),
        )
        .execute()
    } catch (error) {
      for (const { rule_id, day, count, last_at } of rows) add({ rule_id, day, count, last_at })
      throw error
    }
  }

  return {
    count: ruleId => add({ rule_id: ruleId, day: Math.floor(now() / DAY_MS), count: 1, last_at: now() }),
    write,
  }
}

/** Returns matches of the last 30 days. */
export async function matchesOf(db: Db, ruleIds: readonly string[], now: number): Promise<ReadonlyMap<string, Matched>> {
  if (ruleIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('traffic_rule_matches')
    .select(({ fn }) => ['rule_id', fn.sum<number>('count').as('count'), fn.max('last_at').as('last')])
    .where('rule_id', 'in', ruleIds)
    .where('day', '>', Math.floor(now / DAY_MS) - 30)
    .groupBy('rule_id')
    .execute()
  return new Map(rows.map(({ rule_id, count, last }) => [rule_id, { count, last }]))
}
