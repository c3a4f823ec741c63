/** Reads all rows of a day, to copy it. */
import { sql } from 'kysely'
import type { Cluster } from '../../cluster/cluster.ts'
import { movedRows } from '../../moved-days/copies.ts'
import { clickFields, type DayRows, hitFields, propFields, type Rows, rowsOf, vitalFields, visitFields } from '../../cluster/day-rows.ts'
import type { Db } from '../../store.ts'
import type { Lists } from './build-day.ts'
import { partsOf, readInPieces, ROWS_A_PIECE } from './read-in-pieces.ts'
import type { SiteDay } from './site-days.ts'
import { knownVitals, numberOfMetric } from './read-measures.ts'

/** Replaces a value that is not a number, because texts of columns contain only numbers. */
const NO_NUMBER = 1e308

interface ReadRows {
  readonly cluster: Cluster | undefined
  readonly site: number
  readonly siteDay: SiteDay
  readonly max?: number | undefined
}

/** @param max rows of a table that are read at a time @throws StorageUnavailable `cluster` */
export async function readRows(db: Db, { cluster, site, siteDay: { day, moved }, max = ROWS_A_PIECE }: ReadRows): Promise<DayRows> {
  if (moved !== 0) return movedRows(db, { cluster, site }, { day, copy: moved })
  const where = sql`site_id = ${site} and day = ${day}`
  const withNum = { ...partsOf(propFields), num: sql`coalesce(num, 1e308)` }
  const props = await readInPieces({
    rows: { db, table: 'hit_props', where },
    parts: withNum,
    key: ['event', 'key', 'visit_id', 'seq'],
    max,
  })
  return {
    visits: plain(await readInPieces({ rows: { db, table: 'visits', where }, parts: partsOf(visitFields), key: ['visit_id'], max })),
    hits: plain(await readInPieces({ rows: { db, table: 'hits', where }, parts: partsOf(hitFields), key: ['visit_id', 'seq'], max })),
    props: { ...plain(props), num: Array.from(props.num, num => (num === NO_NUMBER ? Number.NaN : num)) },
    vitals: plain(
      await readInPieces({
        rows: { db, table: 'vitals', where: sql`${where} ${knownVitals}` },
        parts: { ...partsOf(vitalFields), metric: numberOfMetric },
        key: ['page', 'metric', 'visit_id', 'seq'],
        max,
      }),
    ),
    clicks: plain(
      await readInPieces({ rows: { db, table: 'clicks', where }, parts: partsOf(clickFields), key: ['page', 'visit_id', 'seq'], max }),
    ),
  }
}

const plain = <Name extends string>(lists: Lists<Name>): Rows<Name> => rowsOf(Object.keys(lists) as Name[], name => Array.from(lists[name])) // the object's own keys
