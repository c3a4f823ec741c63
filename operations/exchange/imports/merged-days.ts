/** Days of imports that follow their site into another: they become the days of that site's time zone, by the times of their hits. */
import { localDay } from '../../../storage/calendar/zones.ts'
import type { Db } from '../../../storage/store.ts'
import { yieldWhereDue } from '../../../storage/system/event-loop.ts'

/** Rows of a statement: within the parameters of every database. */
const AT_ONCE = 100

interface Timed {
  readonly day: number
  /** Null is unknown. */
  readonly first_at: number | null
  readonly last_at: number | null
}

/** Days of imports of a site, by the API and by the command. Call it before they belong to the other site. */
export async function moveImportDays(db: Db, { site, number, zone }: { site: string; number: number; zone: string }): Promise<void> {
  const own = db.selectFrom('imports').select('id').where('site_id', '=', site)
  const ofImports = await db.selectFrom('import_days').selectAll().where('import_id', 'in', own).execute()
  await db.deleteFrom('import_days').where('import_id', 'in', own).execute()
  for (const some of pieces(await inZone(ofImports, zone, ({ import_id }) => import_id)))
    await db.insertInto('import_days').values(some).execute()

  const byCommand = await db.selectFrom('hit_import_days').selectAll().where('site_id', '=', number).execute()
  await db.deleteFrom('hit_import_days').where('site_id', '=', number).execute()
  for (const some of pieces(await inZone(byCommand, zone, ({ fingerprint }) => fingerprint)))
    await db.insertInto('hit_import_days').values(some).execute()
}

/** A row for each day that has hits of it. Of days that two rows touch, the first one stays, with the times of both. */
async function inZone<R extends Timed>(rows: readonly R[], zone: string, fileOf: (row: R) => string): Promise<R[]> {
  const found = new Map<string, R>()
  for (const row of rows) {
    await yieldWhereDue()
    const { first_at, last_at } = row
    if (first_at === null || last_at === null) {
      found.set(`${fileOf(row)} ${row.day}`, row)
      continue
    }
    for (let day = localDay(zone, first_at); ; day = localDay(zone, day.endsAt)) {
      const part = { ...row, day: day.day, first_at: Math.max(first_at, day.startsAt), last_at: Math.min(last_at, day.endsAt - 1) }
      const key = `${fileOf(row)} ${day.day}`
      const known = found.get(key)
      const joined = known && {
        ...known,
        first_at: Math.min(known.first_at ?? -Infinity, part.first_at),
        last_at: Math.max(known.last_at ?? Infinity, part.last_at),
      }
      found.set(key, joined ?? part)
      if (last_at < day.endsAt) break
    }
  }
  return [...found.values()]
}

function pieces<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, i) => all.slice(i * AT_ONCE, (i + 1) * AT_ONCE))
}
