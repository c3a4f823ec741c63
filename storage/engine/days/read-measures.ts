/**
 * Reads vitals and clicks of unsealed days from database rows, a day at a time. Both tables are clustered by day and
 * page, so that a report on one page reads only its rows. As in read-days.ts, a column is read as one text.
 */
import { LRUCache } from 'lru-cache'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../store.ts'
import { vitalNames } from '../vocabulary/vitals.ts'
import type { Lists } from './build-day.ts'
import { clicksOf, vitalsOf } from './build-measures.ts'
import type { Measures } from './measures.ts'
import type { ClickColumns, VitalColumns } from './day.ts'

export interface MeasureCache {
  /** As of this transaction. */
  in(db: Db, site: number): Measures
}

const numberOfMetric = sql`case metric ${sql.join(
  vitalNames.map((name, number) => sql`when ${sql.lit(name)} then ${sql.lit(number)}`),
  sql` `,
)} end`
const ofBoth = { page: sql.ref('page'), visit: sql.ref('visit_id') }
const vitalColumns = { ...ofBoth, metric: numberOfMetric, value: sql.ref('value'), device: sql.ref('device') }
const clickColumns = { ...ofBoth, selector: sql.ref('selector'), x: sql.ref('x'), y: sql.ref('y') }
const knownVitals = sql`and metric in (${sql.join(vitalNames.map(name => sql.lit(name)))})`

const OBJECT = 1_000

/** @param bytes limit */
export function openMeasureCache(bytes: number): MeasureCache {
  const kept = new LRUCache<string, VitalColumns | ClickColumns>({
    maxSize: bytes,
    sizeCalculation: columns =>
      Object.values(columns).reduce((sum: number, one) => sum + (typeof one === 'number' ? 0 : one.byteLength), OBJECT),
  })
  return {
    in(db, site) {
      let revs: Promise<ReadonlyMap<number, number>> | undefined
      async function once<T extends VitalColumns | ClickColumns>(day: number, what: string, read: () => Promise<T>): Promise<T> {
        revs ??= revsOf(db, site)
        const key = `${site}/${day}/${(await revs).get(day)}/${what}`
        const known = kept.get(key)
        if (known) return known as T // a key stands for one type
        const columns = await read()
        kept.set(key, columns)
        return columns
      }
      return {
        vitals: async ({ day, vitals }, page) => vitals ?? once(day, `vitals ${page}`, () => readVitals(db, site, day, page)),
        clicks: async ({ day, clicks }, page) => clicks ?? once(day, `clicks ${page}`, () => readClicks(db, site, day, page)),
      }
    },
  }
}

async function revsOf(db: Db, site: number): Promise<ReadonlyMap<number, number>> {
  const rows = await db.selectFrom('site_days').select(['day', 'rev']).where('site_id', '=', site).execute()
  return new Map(rows.map(({ day, rev }) => [day, rev]))
}

const of = (site: number, day: number, page: number | null): RawBuilder<unknown> =>
  sql`site_id = ${site} and day = ${day} ${page === null ? sql`` : sql`and page = ${page}`}`

/** @param page null for all pages, as in `Measures` */
export const readVitals = async (db: Db, site: number, day: number, page: number | null): Promise<VitalColumns> =>
  vitalsOf(await read(db, 'vitals', vitalColumns, sql`${of(site, day, page)} ${knownVitals}`))

export const readClicks = async (db: Db, site: number, day: number, page: number | null): Promise<ClickColumns> =>
  clicksOf(await read(db, 'clicks', clickColumns, of(site, day, page)))

async function read<Name extends string>(
  db: Db,
  table: 'vitals' | 'clicks',
  columns: Readonly<Record<Name, RawBuilder<unknown>>>,
  where: RawBuilder<unknown>,
): Promise<Lists<Name>> {
  const names = Object.keys(columns) as Name[]
  const joined = names.map(name => sql`string_agg(cast(${columns[name]} as text), ',') as ${sql.ref(name)}`)
  const {
    rows: [row],
  } = await sql<Record<Name, string | null>>`
    select ${sql.join(joined)} from ${sql.table(table)} where ${where}`.execute(db)
  const entries = names.map(name => [name, JSON.parse(`[${row?.[name] ?? ''}]`) as number[]])
  return Object.fromEntries(entries) as Lists<Name> // one entry for each name
}
