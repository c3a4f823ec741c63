/** Requests of crawlers, one row for each crawler and day. */
import type { Store } from '../../../storage/store.ts'
import { dateOf } from '../../../storage/calendar/zones.ts'
import type { SiteDay } from './day-rows.ts'
import type { Cells, Column } from './row-writer.ts'

const counts = ['requests', 'script_hits', 'status_4xx', 'status_5xx', 'bytes', 'verified', 'spoofed'] as const

export const crawlerColumns: readonly Column[] = [
  { name: 'date', type: 'text' },
  { name: 'name', type: 'text' },
  { name: 'operator', type: 'text' },
  { name: 'category', type: 'text' },
  ...counts.map((name): Column => ({ name, type: 'int' })),
  { name: 'first_at', type: 'time' },
  { name: 'last_at', type: 'time' },
]

const ROWS_AT_ONCE = 500

export async function* crawlerRowsOf({ read: db }: Store, { site, day }: Pick<SiteDay, 'site' | 'day'>): AsyncGenerator<Cells[]> {
  const date = dateOf(day)
  for (let last = ''; ; ) {
    const rows = await db
      .selectFrom('crawler_days')
      .selectAll()
      .where('site_id', '=', site.id)
      .where('day', '=', day)
      .where('name', '>', last)
      .orderBy('name')
      .limit(ROWS_AT_ONCE)
      .execute()
    if (rows.length > 0) yield rows.map(({ site_id: _, day: __, ...row }) => ({ date, ...row }))
    if (rows.length < ROWS_AT_ONCE) return
    last = rows.at(-1)?.name ?? last
  }
}
