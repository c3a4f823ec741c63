/** Days of imports that follow their site into another: they become the days of that site's time zone, by the times of their hits. */
import { localDay } from '../../../storage/calendar/zones.ts'
import type { Db } from '../../../storage/store.ts'
import { yieldWhereDue } from '../../../storage/system/event-loop.ts'
import { chunksOf } from '../../../storage/values/chunks.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

/** Rows of a statement: within the parameters of every database. */
const AT_ONCE = 100

interface Times {
  /** Null is unknown. */
  readonly first_at: number | null
  readonly last_at: number | null
}
interface Timed extends Times {
  readonly day: number
}

/** Days of imports of a site, by the API and by the command. Call it before they belong to the other site. */
export async function moveImportDays(db: Db, { site, number, zone }: { site: string; number: number; zone: string }): Promise<void> {
  const own = db.selectFrom('imports').select('id').where('site_id', '=', site)
  const ofImports = await db.selectFrom('import_days').selectAll().where('import_id', 'in', own).execute()
  await db.deleteFrom('import_days').where('import_id', 'in', own).execute()
  for (const some of chunksOf(await inZone(ofImports, zone, ({ import_id }) => import_id), AT_ONCE))
    await db.insertInto('import_days').values(some).execute()

  const byCommand = await db.selectFrom('hit_import_days').selectAll().where('site_id', '=', number).execute()
  await db.deleteFrom('hit_import_days').where('site_id', '=', number).execute()
  for (const some of chunksOf(await inZone(byCommand, zone, ({ fingerprint }) => fingerprint), AT_ONCE))
    await db.insertInto('hit_import_days').values(some).execute()
}

/** A row for each day that has hits of it. Of days that two rows touch, the first one stays, with the times of both. */
async function inZone<R extends Timed>(rows: readonly R[], zone: string, fileOf: (row: R) => string): Promise<R[]> {
  const found = new Map<string, R>()
  const add = (row: R) => {
    const key = `${fileOf(row)} ${row.day}`
    const known = found.get(key)
    found.set(key, known ? { ...known, ...timesOfBoth(known, row) } : row)
  }
  for (const row of rows) {
    await yieldWhereDue()
    const { first_at, last_at } = row
    if (first_at === null || last_at === null || !isNear(row.day, first_at) || !isNear(row.day, last_at)) {
      add(row)
      continue
    }
    for (let day = localDay(zone, first_at); ; day = localDay(zone, day.endsAt)) {
      add({ ...row, day: day.day, first_at: Math.max(first_at, day.startsAt), last_at: Math.min(last_at, day.endsAt - 1) })
      if (last_at < day.endsAt) break
    }
  }
  return [...found.values()]
}

/** The times of the hits of two rows, unknown if either row has none. */
export const timesOfBoth = (a: Times, b: Times): Times => ({
  first_at: a.first_at === null || b.first_at === null ? null : Math.min(a.first_at, b.first_at),
  last_at: a.last_at === null || b.last_at === null ? null : Math.max(a.last_at, b.last_at),
})

/** A workspace's file, which anyone may have written, can have times that are years away from their day, or beyond every calendar. */
const isNear = (day: number, at: number): boolean => day <= MAX_DAY && Math.abs(at - day * DAY_MS) <= MAX_AWAY * DAY_MS
const [MAX_DAY, MAX_AWAY] = [100_000, 31]
