/** Reads the rows of a workspace, in pages of bounded size, for its file. */
import { type RawBuilder, sql } from 'kysely'
import { inSnapshot } from '../snapshots/snapshots.ts'
import type { Store } from '../store.ts'
import { movedRows } from '../moved-days/copies.ts'
import { type DayRows, clickFields, hitFields, propFields, rowsOf, visitFields, vitalFields } from '../cluster/day-rows.ts'
import type { Db } from '../tables/db.ts'
import type { SiteDayRow } from '../tables/index.ts'
import { vitalNames } from '../values/web-vitals.ts'
import type { CarriedTable } from './carried-tables.ts'
import type { SiteDay } from '../values/site-day.ts'

export type Cell = string | number | null
export type CarriedRow = Readonly<Record<string, Cell>>

const ROWS_AT_ONCE = 500

/** @param owner id of the workspace, the site or the import, or number of the site */
export async function* rowsOfOwner(db: Db, table: CarriedTable, owner: string | number): AsyncGenerator<CarriedRow[]> {
  const by = table.by === 'number' ? 'site_id' : table.by
  const columns = sql.join(table.columns.map(name => sql.ref(name)))
  const key = table.key.map(name => sql.ref(name))
  for (let after: Cell[] | undefined; ; ) {
    const further: RawBuilder<unknown> = after ? sql`and (${sql.join(key)}) > (${sql.join(after)})` : sql``
    const { rows } = await sql<CarriedRow>`
      select ${columns} from ${sql.table(table.name)} where ${sql.ref(by)} = ${owner} ${further} order by ${sql.join(key)}
      limit ${sql.lit(ROWS_AT_ONCE)}`.execute(db)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (rows.length < ROWS_AT_ONCE || !last) return
    after = table.key.map(name => last[name] ?? null)
  }
}

export type StoredDay = Pick<SiteDayRow, 'day' | 'starts_at' | 'ends_at' | 'next_visitor' | 'next_loose'>

export const daysOfSite = (db: Db, site: number): Promise<{ day: number }[]> =>
  db.selectFrom('site_days').select('day').where('site_id', '=', site).orderBy('day').execute()

/** All rows of a day at one moment, from wherever they are; undefined if the day is gone. */
export function readDay(store: Store, site: number, day: number): Promise<{ day: StoredDay; rows: DayRows } | undefined> {
  return inSnapshot(store.read, [site], async db => {
    const stored = await db
      .selectFrom('site_days')
      .select(['day', 'starts_at', 'ends_at', 'next_visitor', 'next_loose', 'moved'])
      .where('site_id', '=', site)
      .where('day', '=', day)
      .executeTakeFirst()
    if (!stored) return undefined
    const { moved, ...of } = stored
    const rows =
      moved === 0 ? await rowsOfTables(db, { site, day }) : await movedRows(db, { cluster: store.cluster, site }, { day, copy: moved })
    return { day: of, rows }
  })
}

async function rowsOfTables(db: Db, { site, day }: SiteDay): Promise<DayRows> {
  const read = async <Name extends string>(table: 'visits' | 'hits' | 'hit_props' | 'vitals' | 'clicks', names: readonly Name[]) => {
    const { rows } = await sql<Record<Name, Cell>>`
      select ${sql.join(names.map(name => sql.ref(name)))} from ${sql.table(table)} where site_id = ${site} and day = ${day}
      order by visit_id${table === 'visits' ? sql`` : sql`, seq`}`.execute(db)
    return rowsOf(names, name => rows.map(row => numberOf(row[name])))
  }
  return {
    visits: await read('visits', visitFields),
    hits: await read('hits', hitFields),
    props: await read('hit_props', propFields),
    vitals: await read('vitals', vitalFields),
    clicks: await read('clicks', clickFields),
  }
}

const metrics: readonly string[] = vitalNames
/** A cell as copies of days store it: the index of a metric instead of its name, and NaN instead of null. */
const numberOf = (cell: Cell): number => (cell === null ? Number.NaN : typeof cell === 'number' ? cell : metrics.indexOf(cell))
