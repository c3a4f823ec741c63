/** Packs sealed days, one after another, and deletes the rows of those whose blocks have all of them. */
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { postponePacking } from '../moved-days/copies.ts'
import { moveOut } from '../moved-days/moving.ts'
import { toPack } from '../moved-days/to-pack.ts'
import type { Store } from '../store.ts'
import { PACK, type SealedAt } from './days/database-source.ts'
import { PACKED_FORMAT } from './days/sealed-columns.ts'
import { writeSealed } from './days/segments.ts'
import { joinSums } from './days/sum-runs.ts'
import type { Packing } from './engine.ts'

const DAYS_AT_ONCE = 100
/** Age of a day at which its sums are joined with others, ms. Hits seldom come that late, and each makes its day leave its run. */
const JOINED_AFTER_MS = 8 * 24 * 3_600_000
/** Most time between two days, ms, which is otherwise as long as the last one took: reports and hits come first. */
const MAX_REST_MS = 250

export interface PackingOfDays extends Packing {
  readonly store: Store
  /** Builds the blocks of a day. @param visitors so many, if they may be many @param copy as `Sources.seal` says */
  sealed(site: number, day: number, visitors: number, copy: number): Promise<SealedAt | null>
  /** Whether the blocks of a day have its rows. */
  matches(site: number, day: number, visitors: number, copy: number): Promise<boolean>
}

/** Packs some days that ended before the grace: `Engine.packDays`. */
export async function packDays(packing: PackingOfDays): Promise<boolean> {
  const { store, sealed, matches, now, graceMs, signal, progress, failed, limit = DAYS_AT_ONCE, maxRestMs = MAX_REST_MS, runs } = packing
  let done = 0
  const days = await packable(store, { now: now(), graceMs, limit })
  for (const day of days) {
    if (signal.aborted) return true
    const began = performance.now()
    try {
      await pack(day)
    } catch (error) {
      failed(day, error)
      await store.transaction(trx => postponePacking(trx, day, { rev: day.rev, now: now() }))
    }
    progress?.(++done)
    await setTimeout(Math.min(performance.now() - began, maxRestMs))
  }
  const left = await moveOut(store, {
    now,
    graceMs,
    signal,
    to: 'packed',
    progress: () => progress?.(++done),
    async verify(row) {
      const are = await matches(row.site, row.day, row.visitors, row.copy)
      if (!are) failed(row, new Error('the blocks of a day do not have its rows, or it has just changed'))
      return are
    },
  })
  if (signal.aborted || left || days.length === limit) return true
  return joinSums(store, { endedBefore: now() - (runs?.afterMs ?? JOINED_AFTER_MS), leastDays: runs?.leastDays, signal, maxRestMs })

  async function pack({ site, day, rev, visitors }: Packable): Promise<void> {
    const built = await sealed(site, day, visitors, PACK)
    // A day that has changed meanwhile is packed another time.
    if (!built?.copied || built.rev !== rev) return
    const { sealed: columns, copied, blocks, epoch } = built
    await writeSealed(store, {
      unsealed: { site, day, rev, visitors },
      format: PACKED_FORMAT,
      sealed: columns,
      copied,
      blocks,
      epoch,
      now: now(),
    })
  }
}

interface Packable {
  readonly site: number
  readonly day: number
  readonly rev: number
  readonly visitors: number
}

async function packable({ read }: Store, { limit, ...when }: { now: number; graceMs: number; limit: number }): Promise<Packable[]> {
  const { rows } = await sql<Packable>`
    /* pack-days.packable */ select d.site_id as site, d.day, d.rev, d.next_visitor as visitors from site_days d
    where ${toPack(when)} order by d.ends_at, d.site_id limit ${limit}`.execute(read)
  return [...rows]
}
