/**
 * Reads vitals and clicks of unsealed days from database rows, a day at a time. Both tables are clustered by day and
 * page, so that a report on one page reads only its rows. As in read-days.ts, columns are read as texts.
 */
import { LRUCache } from 'lru-cache'
import { type RawBuilder, sql } from 'kysely'
import type { Cluster } from '../../cluster/cluster.ts'
import { movedRows } from '../../moved-days/copies.ts'
import type { DayRows } from '../../cluster/day-rows.ts'
import { runNamed } from '../../sql/named-statements.ts'
import type { Db } from '../../store.ts'
import { vitalNames } from '../../values/web-vitals.ts'
import { clicksOf, vitalsOf } from './build-measures.ts'
import type { Measures } from './measures.ts'
import { readInPieces } from './read-in-pieces.ts'
import type { ClickColumns, VitalColumns } from './day.ts'

export interface MeasureCache {
  /** As of this transaction. */
  in(db: Db, site: number): Measures
}

export const numberOfMetric = sql`case metric ${sql.join(
  vitalNames.map((name, number) => sql`when ${sql.lit(name)} then ${sql.lit(number)}`),
  sql` `,
)} end`
const ofBoth = { page: sql.ref('page'), visit: sql.ref('visit_id') }
const vitalColumns = { ...ofBoth, metric: numberOfMetric, value: sql.ref('value'), device: sql.ref('device') }
const clickColumns = { ...ofBoth, selector: sql.ref('selector'), x: sql.ref('x'), y: sql.ref('y') }
export const knownVitals = sql`and metric in (${sql.join(vitalNames.map(name => sql.lit(name)))})`

const OBJECT = 1_000

/**
 * @param bytes limit
 * @param cluster has the rows of days that were moved there
 * @param max rows that are read at a time
 */
export function openMeasureCache(bytes: number, cluster: Cluster | undefined, max: number): MeasureCache {
  const kept = new LRUCache<string, VitalColumns | ClickColumns>({
    maxSize: bytes,
    sizeCalculation: columns =>
      Object.values(columns).reduce((sum: number, one) => sum + (typeof one === 'number' ? 0 : one.byteLength), OBJECT),
  })
  return {
    in(db, site) {
      let revs: ReturnType<typeof revsOf> | undefined
      async function once<T extends VitalColumns | ClickColumns>({
        day,
        what,
        read,
        from,
      }: {
        day: number
        what: string
        read: () => Promise<T>
        from: (rows: DayRows) => T
      }): Promise<T> {
        revs ??= revsOf(db, site)
        const { rev, moved = 0 } = (await revs).get(day) ?? {}
        const key = `${site}/${day}/${rev}/${what}`
        const known = kept.get(key)
        if (known) return known as T // each key has one type
        const columns = moved === 0 ? await read() : from(await movedRows(db, { cluster, site }, { day, copy: moved }))
        kept.set(key, columns)
        return columns
      }
      return {
        vitals: async ({ day, vitals }, page) =>
          vitals ?? once({ day, what: `vitals ${page}`, read: () => readVitals(db, { site, day, page, max }), from: vitalsIn }),
        clicks: async ({ day, clicks }, page) =>
          clicks ?? once({ day, what: `clicks ${page}`, read: () => readClicks(db, { site, day, page, max }), from: clicksIn }),
      }
    },
  }
}

async function revsOf(db: Db, site: number): Promise<ReadonlyMap<number, { readonly rev: number; readonly moved: number }>> {
  const revs = db.selectFrom('site_days').select(['day', 'rev', 'moved']).where('site_id', '=', site)
  const { rows } = await runNamed(db, 'read-measures.revs', revs)
  return new Map(rows.map(row => [row.day, row]))
}

const of = (site: number, day: number, page: number | null): RawBuilder<unknown> =>
  sql`site_id = ${site} and day = ${day} ${page === null ? sql`` : sql`and page = ${page}`}`

interface ReadOfDay {
  readonly site: number
  readonly day: number
  /** Null for all pages, as in `Measures`. */
  readonly page: number | null
  /** Rows that are read at a time. */
  readonly max: number
}

export const readVitals = async (db: Db, { site, day, page, max }: ReadOfDay): Promise<VitalColumns> =>
  vitalsOf(
    await readInPieces({
      rows: { db, table: 'vitals', where: sql`${of(site, day, page)} ${knownVitals}` },
      parts: vitalColumns,
      key: ['page', 'metric', 'visit_id', 'seq'],
      max,
    }),
  )

export const readClicks = async (db: Db, { site, day, page, max }: ReadOfDay): Promise<ClickColumns> =>
  clicksOf(
    await readInPieces({
      rows: { db, table: 'clicks', where: of(site, day, page) },
      parts: clickColumns,
      key: ['page', 'visit_id', 'seq'],
      max,
    }),
  )

/** Build the columns of a day whose rows were read together. */
export const vitalsIn = ({ vitals }: DayRows): VitalColumns => vitalsOf({ ...vitals, visit: vitals.visit_id })
export const clicksIn = ({ clicks }: DayRows): ClickColumns => clicksOf({ ...clicks, visit: clicks.visit_id })
