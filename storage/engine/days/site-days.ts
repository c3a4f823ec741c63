/** The days of a site, as the database lists them. */
import type { SqlBool } from 'kysely'
import type { Awaitable } from '../../values/awaitable.ts'
import { prepared } from '../../sql/prepared.ts'
import type { Db } from '../../store.ts'
import type { DayBounds } from './day.ts'

/** A day as stored in `site_days`. */
export interface SiteDay extends DayBounds {
  /** Visitors so far. */
  readonly visitors: number
  /** Changes with every change of the day. */
  readonly rev: number
  /** Whether it may have a segment. */
  readonly sealed: SqlBool
  /** The copy that has its rows; 0: the tables have them. */
  readonly moved: number
}

export const siteDays: (db: Db, site: number, fromDay: number, toDay: number) => Awaitable<readonly SiteDay[]> = prepared(
  'site-days.read',
  (db, site: number, from: number, to: number) =>
    db
      .selectFrom('site_days')
      .select(['day', 'starts_at as startsAt', 'ends_at as endsAt', 'next_visitor as visitors', 'rev', 'moved'])
      .select(({ eb, ref }) => eb('sealed_rev', '=', ref('rev')).as('sealed'))
      .where('site_id', '=', site)
      .where('day', '>=', from)
      .where('day', '<=', to)
      .orderBy('day'),
)
