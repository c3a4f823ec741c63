/** Commands on many days: they list days a part at a time, work on one after another, and can be interrupted. */
import { type RawBuilder, sql } from 'kysely'

export interface Working {
  now(): number
  readonly signal: AbortSignal
  /** @param total of days, or months */
  progress(done: number, total: number): void
}

interface Listed {
  readonly site: number
  readonly day: number
}

const LISTED_AT_ONCE = 500

/**
 * Works on days one after another, by site and day.
 * @param listed returns the rows of days that pass the condition, in the order and number of its last part
 * @returns the number of days worked on
 */
export async function eachListed<Row extends Listed>(
  listed: (next: { readonly after: RawBuilder<boolean>; readonly inOrder: RawBuilder<unknown> }) => Promise<readonly Row[]>,
  { total, signal, progress }: Pick<Working, 'signal' | 'progress'> & { readonly total: number },
  work: (day: Row) => Promise<void>,
): Promise<number> {
  const inOrder = sql`order by d.site_id, d.day limit ${LISTED_AT_ONCE}`
  let [done, last]: [number, Listed] = [0, { site: -1, day: 0 }]
  for (;;) {
    const rows = await listed({ after: sql<boolean>`(d.site_id, d.day) > (${last.site}, ${last.day})`, inOrder })
    for (const row of rows) {
      if (signal.aborted) return done
      await work(row)
      progress(++done, total)
    }
    const end = rows.at(-1)
    if (!end) return done
    last = end
  }
}
