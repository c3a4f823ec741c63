/**
 * Decodes blanks and the rest of ASCII in stored paths, in the dictionaries of pages, in goals and in funnels: `/a%20b`
 * becomes `/a b`, as paths are stored now. If a site has both, they become one page.
 */
import { type Kysely, sql } from 'kysely'
import type { Conversion } from '../step.ts'

const pages = 1
/** All of ASCII but control characters and `%25`, `%2F`, `%3F`, `%23`, as of this version. */
const escapes = /%(?!25|2f|3f|23|7f)[2-7][0-9a-f]/gi
const readable = (path: string): string => path.replace(escapes, escape => String.fromCharCode(parseInt(escape.slice(1), 16))).trimEnd()

export const readablePaths: Conversion = async db => {
  await sql`create table moved_pages (site_id integer, old_id integer, new_id integer, primary key (site_id, old_id))`.execute(db)
  const { rows } = await sql<{ site_id: number; id: number; value: string }>`
    select site_id, id, value from dict where dim = ${pages} and value like '%\\%%' escape '\\' order by site_id, id`.execute(db)
  let merged = 0
  for (const { site_id, id, value } of rows) {
    const path = readable(value)
    if (path === value) continue
    const {
      rows: [same],
    } = await sql<{ id: number }>`select id from dict where site_id = ${site_id} and dim = ${pages} and value = ${path}`.execute(db)
    if (same) {
      merged++
      await sql`insert into moved_pages (site_id, old_id, new_id) values (${site_id}, ${id}, ${same.id})`.execute(db)
      await sql`delete from dict where site_id = ${site_id} and dim = ${pages} and id = ${id}`.execute(db)
    } else await sql`update dict set value = ${path} where site_id = ${site_id} and dim = ${pages} and id = ${id}`.execute(db)
  }
  if (merged > 0) await movePages(db)
  await sql`drop table moved_pages`.execute(db)
  await inGoals(db)
  await inFunnels(db)
}

/** One pass over each table, since rows are not indexed by page; the days of these sites are sealed again. */
async function movePages(db: Kysely<unknown>): Promise<void> {
  const columns = { hits: ['page'], vitals: ['page'], clicks: ['page'], visits: ['entry_page', 'exit_page'] }
  for (const [table, names] of Object.entries(columns)) {
    for (const column of names) {
      const found = `from moved_pages where moved_pages.site_id = ${table}.site_id and moved_pages.old_id = ${table}.${column}`
      await sql.raw(`update ${table} set ${column} = (select new_id ${found}) where exists (select 1 ${found})`).execute(db)
    }
  }
  await sql`update site_days set rev = rev + 1 where site_id in (select site_id from moved_pages)`.execute(db)
}

async function inGoals(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ id: string; path: string }>`select id, path from goals where path like '%\\%%' escape '\\'`.execute(db)
  for (const { id, path } of rows) await sql`update goals set path = ${readable(path)} where id = ${id}`.execute(db)
}

async function inFunnels(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ id: string; steps: string }>`select id, steps from funnels where steps like '%\\%%' escape '\\'`.execute(db)
  for (const { id, steps } of rows) {
    const given = JSON.parse(steps) as { path?: string | null }[] // written by us
    const read = given.map(step => (typeof step.path === 'string' ? { ...step, path: readable(step.path) } : step))
    await sql`update funnels set steps = ${JSON.stringify(read)} where id = ${id}`.execute(db)
  }
}
