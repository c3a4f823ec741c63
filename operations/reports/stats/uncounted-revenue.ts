/** Adds notes about uncounted revenue, as recorded when its hits were received. */
import { sql } from 'kysely'
import { type Caller, isMember } from '../../../runtime/table/caller.ts'
import type { RevenueFault } from '../../../storage/hits/new-hit.ts'
import { prepared } from '../../../storage/sql/prepared.ts'
import type { Db } from '../../../storage/store.ts'
import { type Applied, apply } from './applied.ts'
import { withNotes } from './reports.ts'
import { type Message, operationTerm } from '../../../runtime/texts/message.ts'
import { m } from './messages.ts'
import type { Note } from './report-notes.ts'

/**
 * Like `apply`, with a note if revenue on the days of the range is not counted. Only members get the note: a shared
 * link may hide revenue or show a segment, and other callers cannot see the refused hits that the note refers to.
 */
export async function applyWithRevenue(caller: Caller, ...[db, ...asked]: Parameters<typeof apply>): Promise<Applied> {
  const applied = await apply(db, ...asked)
  return isMember(caller) ? { ...applied, meta: withNotes(applied.meta, await notesOn(db, applied)) } : applied
}

const faults: Readonly<Record<RevenueFault, (count: number, currency: string) => Message>> = {
  other_currency: (count, currency) => m.other_currency({ count, currency }),
  invalid_revenue: count => m.invalid_revenue({ count }),
}
const reasons = Object.keys(faults) as RevenueFault[] // keys of `faults`

const dropsBetween = prepared('uncounted-revenue.drops', (db, site: number, fromDay: number, toDay: number) =>
  db
    .selectFrom('drops')
    .select(({ fn }) => ['reason', fn.sum<number>('count').as('count')])
    .where('site_id', '=', site)
    .where('day', '>=', fromDay)
    .where('day', '<=', toDay)
    .where(
      'reason',
      'in',
      reasons.map(reason => sql.lit(reason)),
    )
    .groupBy('reason'),
)

async function notesOn(db: Db, { site, range }: Applied): Promise<Note[]> {
  const each = await Promise.all((site.members ?? [site]).map(one => dropsBetween(db, one.number, range.fromDay, range.toDay)))
  const rows = each.flat()
  const [first, second] = reasons.flatMap(reason => {
    const count = rows.reduce((sum, row) => sum + (row.reason === reason ? Number(row.count) : 0), 0)
    return count > 0 ? [faults[reason](count, site.currency)] : []
  })
  if (!first) return []
  const amounts = second ? m.both({ first, second }) : first
  const message = m.revenue_not_counted({ amounts, drops: operationTerm('collection_drops') })
  return [{ code: 'revenue_not_counted', message }]
}
