/** Notes of the database about copies of days. */
import type { RawBuilder } from 'kysely'
import type { DayRows } from '../cluster/day-rows.ts'
import type { Trx } from '../store.ts'
import type { SiteDay } from '../values/site-day.ts'

/** A copy that was written, with what is asked of a day without reading its rows. */
export interface Copied {
  readonly copy: number
  readonly visits: number
  /** Pageviews and events. */
  readonly hits: number
  /** Epoch ms: the first start of a visit, the last hit, the last end of a visit. */
  readonly first_at: number
  readonly last_at: number
  readonly ended_at: number
}

export interface CopyNote extends Copied {
  /** Null while the day counts on it. */
  readonly drop_at: number | null
  readonly keep_until: number | RawBuilder<number>
}

/** A note without a copy, or whose copy is not used. */
export const unusedNote = { keep_until: 0, visits: 0, hits: 0, first_at: 0, last_at: 0, ended_at: 0 }

export function summaryOf(copy: number, { visits, hits }: DayRows): Copied {
  const min = (numbers: readonly number[]) => numbers.reduce((min, n) => Math.min(min, n), Infinity)
  const max = (numbers: readonly number[]) => numbers.reduce((max, n) => Math.max(max, n), 0)
  return {
    copy,
    visits: visits.visit_id.length,
    hits: hits.visit_id.length,
    first_at: min(visits.started_at),
    last_at: max(hits.at),
    ended_at: max(visits.started_at.map((at, i) => at + (visits.duration[i] ?? 0))),
  }
}

/** Writes a note in place of one that there may be. */
export async function putNote(trx: Trx, { site, day }: SiteDay, note: CopyNote): Promise<void> {
  await trx
    .insertInto('clickhouse_copies')
    .values({ site_id: site, day, ...note, emptied: 0 })
    .onConflict(conflict => conflict.columns(['site_id', 'day', 'copy']).doUpdateSet(note))
    .execute()
}
