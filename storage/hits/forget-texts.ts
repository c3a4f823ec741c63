/**
 * Deletes the texts that only erased rows had. First every writer of hits has to look up texts of the site again, and takes those that
 * it uses off the list of noted ones. Then all rows of the site are searched for the others, and those that no row has are deleted.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { movedParts } from '../moved-days/copies.ts'
import { blocksOf } from '../moved-days/packed-days.ts'
import { type Block, openBlock } from '../packed/block.ts'
import type { FieldName } from '../packed/field-numbers.ts'
import type { Db, Store, Trx } from '../store.ts'
import type { Awaitable } from '../values/awaitable.ts'
import { yieldWhereDue } from '../system/event-loop.ts'
import { lockSiteAndRow } from './days.ts'
import { GONE, propertyDictionary } from './dictionaries.ts'
import { scrubbing } from './scrubbing.ts'
import { eachText, goneTexts, type IdsOfRow, type TextIds, type TextTable, textColumns, textTables } from './gone-texts.ts'
import { addTo } from '../values/grouped.ts'
import type { SiteDay } from '../values/site-day.ts'

/** Rows that are read at a time, and texts that are deleted at a time: SQLite does it in the event loop. */
const ROWS_AT_ONCE = 1_000
const TEXTS_AT_ONCE = 200
/** How often, and how often at most, calls that wait for a lock are asked after. */
const ASKED_EVERY_MS = 20
const MAX_ASKED = 250

/** The sites of which texts are noted. */
export async function sitesWithErasedTexts({ read }: Store): Promise<number[]> {
  const rows = await read.selectFrom('erased_texts').select('site_id').distinct().orderBy('site_id').execute()
  return rows.map(({ site_id }) => site_id)
}

interface Search {
  readonly signal: AbortSignal
  /** Called after each day. */
  searched?(days: number, all: number): Awaitable<void>
}

/** @returns whether it is done; if not, the next call continues, or searches again */
export async function forgetTexts(store: Store, site: number, { signal, searched }: Search): Promise<boolean> {
  const watch = await startWatch(store, site)
  if (watch === null) return true
  if (!(await isWatched(store, site))) return false
  const left: TextIds = new Map()
  for (const { dim, id } of await watchedTexts(store.read, { site, watch })) left.set(dim, (left.get(dim) ?? new Set<number>()).add(id))
  const used: { dim: number; id: number }[] = []
  const markUsed = (dim: number, id: number): void => {
    const ids = left.get(dim)
    if (!ids?.delete(id)) return
    used.push({ dim, id })
    if (ids.size === 0) left.delete(dim)
  }

  const isWanted: TextSearch['isWanted'] = dictionary =>
    dictionary === null ? [...left.keys()].some(dim => dim > propertyDictionary(0)) : left.has(dictionary)

  const days = await store.read.selectFrom('site_days').select('day').where('site_id', '=', site).orderBy('day', 'desc').execute()
  for (const [i, { day }] of days.entries()) {
    if (left.size === 0) break
    if (signal.aborted) return false
    if (!(await searchDay(store, { site, day }, { isWanted, found: markUsed }))) return false
    await searched?.(i + 1, days.length)
  }
  for (let i = 0; i < used.length; i += TEXTS_AT_ONCE) await keep(store.write, { site, watch }, used.slice(i, i + TEXTS_AT_ONCE))
  while (!(await store.transaction(trx => deleteSome(store, trx, { site, watch })))) if (signal.aborted) return false
  return !(await isSearchedAgain(store.read, site))
}

/** Whether rows have moved to another day meanwhile, or another run searches for the texts. */
async function isSearchedAgain(db: Db, site: number): Promise<boolean> {
  const left = db.selectFrom('erased_texts').select('id').where('site_id', '=', site).where('watch', '<>', 0)
  return (await left.limit(1).executeTakeFirst()) !== undefined
}

interface Watch {
  readonly site: number
  readonly watch: number
}

/** @returns the number of the watch; null if no text is noted */
function startWatch(store: Store, site: number): Promise<number | null> {
  return store.transaction(async trx => {
    await lockSiteAndRow(store, trx, site)
    const noted = await trx.selectFrom('erased_texts').select('id').where('site_id', '=', site).limit(1).executeTakeFirst()
    if (!noted) return null
    const watch = (await raise(trx, site)) ?? 0
    await trx.updateTable('erased_texts').set({ watch }).where('site_id', '=', site).execute()
    return watch
  })
}

async function raise(trx: Trx, site: number): Promise<number | undefined> {
  const forgotten = trx.updateTable('sites').set(({ eb }) => ({ texts_forgotten: eb('texts_forgotten', '+', 1) }))
  return (await forgotten.where('number', '=', site).returning('texts_forgotten').executeTakeFirst())?.texts_forgotten
}

/** Waits for writers that may have asked for the lock before the watch began, and do not know of it. @returns false if they take long */
async function isWatched(store: Store, site: number): Promise<boolean> {
  const before = new Set(await store.dialect.waitingLocks(store.read))
  for (let asked = 0; before.size > 0; asked++) {
    if (asked === MAX_ASKED) return false
    await wait(ASKED_EVERY_MS)
    const now = new Set(await store.dialect.waitingLocks(store.read))
    for (const call of before) if (!now.has(call)) before.delete(call)
  }
  await store.transaction(trx => store.dialect.lockSites(trx, [site]))
  return true
}

const watchedTexts = (db: Db, { site, watch }: Watch) =>
  db.selectFrom('erased_texts').select(['dim', 'id']).where('site_id', '=', site).where('watch', '=', watch).execute()

async function keep(db: Db, { site, watch }: Watch, texts: readonly { dim: number; id: number }[]): Promise<void> {
  const which = sql.join(texts.map(({ dim, id }) => sql`(cast(${dim} as integer), cast(${id} as integer))`))
  await sql`delete from erased_texts where site_id = ${site} and watch = ${watch} and (dim, id) in (values ${which})`.execute(db)
}

interface TextSearch {
  /** @param dictionary null for the values of any property */
  isWanted(dictionary: number | null): boolean
  found(dictionary: number, id: number): void
}

/**
 * Notes the texts of a day before all of its rows are deleted: texts that no other day has are deleted with the next search.
 * @throws StorageUnavailable `cluster` if the day is in ClickHouse, which does not answer
 */
export async function noteTextsOf(store: Store, of: SiteDay): Promise<void> {
  const texts = goneTexts()
  if (!(await searchDay(store, of, { isWanted: () => true, found: texts.addText })))
    throw new Error(`the rows of day ${of.day} of site ${of.site} are moved again and again`)
  await store.transaction(async trx => {
    await store.dialect.lockSites(trx, [of.site])
    await texts.note(trx, of.site)
  })
}

/** A day whose rows were moved meanwhile is searched again. @returns false if they are moved again and again */
async function searchDay(store: Store, of: SiteDay, looking: TextSearch): Promise<boolean> {
  const { read, cluster } = store
  const { site, day } = of
  const placeOf = async () => {
    const found = read.selectFrom('site_days').select('moved').where('site_id', '=', site).where('day', '=', day)
    return (await found.executeTakeFirst())?.moved
  }
  for (let tries = 0; tries < 10; tries++) {
    const copy = await placeOf()
    if (copy === undefined) return true
    if (copy === 0) await searchRows(read, of, looking)
    else if (copy < 0) {
      for (const data of await blocksOf(read, site, day)) {
        searchBlock(openBlock(data), looking)
        await yieldWhereDue()
      }
    } else {
      for await (const { visits, hits, props, vitals, clicks } of movedParts(read, { cluster, site }, { day, copy })) {
        searchColumns({ visits, hits, hit_props: props, vitals, clicks }, looking)
        await yieldWhereDue()
      }
    }
    if ((await placeOf()) === copy) return true
  }
  return false
}

const keys = {
  visits: ['visit_id'],
  hits: ['visit_id', 'seq'],
  hit_props: ['event', 'key', 'visit_id', 'seq'],
  vitals: ['page', 'metric', 'visit_id', 'seq'],
  clicks: ['page', 'visit_id', 'seq'],
} as const satisfies Record<TextTable, readonly string[]>

async function searchRows(db: Db, { site, day }: SiteDay, looking: TextSearch): Promise<void> {
  for (const table of textTables) {
    if (!isTableWanted(table, looking)) continue
    const key = sql.join(keys[table].map(name => sql.ref(name)))
    const names = [...new Set<string>([...keys[table], ...textColumns[table].map(([name]) => name)])]
    for (let after: readonly unknown[] | undefined; ; ) {
      const further = after ? sql`and (${key}) > (${sql.join(after)})` : sql``
      const { rows } = await sql<IdsOfRow>`
        /* forget-texts.search */ select ${sql.join(names.map(name => sql.ref(name)))} from ${sql.table(table)}
        where site_id = ${site} and day = ${day} ${further} order by ${key} limit ${ROWS_AT_ONCE}`.execute(db)
      eachText(table, rows, looking.found)
      const last = rows.at(-1)
      if (!last || rows.length < ROWS_AT_ONCE) break
      after = keys[table].map(name => last[name])
      await yieldWhereDue()
    }
  }
}

const isTableWanted = (table: TextTable, { isWanted }: TextSearch): boolean =>
  textColumns[table].some(([, dictionary]) => isWanted(dictionary))

type ColumnOf = (table: TextTable, name: string) => ArrayLike<number>

/** Reads only the columns of wanted texts. */
function search(columnOf: ColumnOf, { isWanted, found }: TextSearch): void {
  for (const table of textTables) {
    for (const [name, dictionary] of textColumns[table]) {
      if (!isWanted(dictionary)) continue
      const [ids, ofKey] = [columnOf(table, name), dictionary === null ? columnOf(table, 'key') : undefined]
      for (let i = 0; i < ids.length; i++) found(dictionary ?? propertyDictionary(ofKey?.[i] ?? 0), ids[i] ?? 0)
    }
  }
}

/** Fields of a block that have another name than their column. */
const fieldOf: Readonly<Record<string, FieldName>> = {
  'vitals page': 'vital_page',
  'vitals device': 'vital_device',
  'clicks page': 'click_page',
}

/** The event of a property is its hit's. */
function searchBlock(block: Block, looking: TextSearch): void {
  search((table, name) => {
    if (table === 'hit_props' && name === 'event') return []
    return block.get(fieldOf[`${table} ${name}`] ?? (name as FieldName)) // the same names otherwise
  }, looking)
}

function searchColumns(rows: Readonly<Record<TextTable, Readonly<Partial<Record<string, readonly number[]>>>>>, looking: TextSearch): void {
  search((table, name) => rows[table][name] ?? [], looking)
}

/** @returns whether no text of the watch is left */
async function deleteSome(store: Store, trx: Trx, { site, watch }: Watch): Promise<boolean> {
  await lockSiteAndRow(store, trx, site)
  const noted = trx.selectFrom('erased_texts').select(['dim', 'id']).where('site_id', '=', site).where('watch', '=', watch)
  const rows = await noted.orderBy('dim').orderBy('id').limit(TEXTS_AT_ONCE).execute()
  if (rows.length === 0) return true
  const byDictionary = new Map<number, number[]>()
  for (const { dim, id } of rows) addTo(byDictionary, dim, id)
  await scrubbing(store, trx, async () => {
    for (const [dim, ids] of byDictionary) {
      const texts = () => trx.selectFrom('dict').where('site_id', '=', site).where('dim', '=', dim)
      const { last } = await texts()
        .select(({ fn }) => fn.max('id').as('last'))
        .executeTakeFirstOrThrow()
      await trx
        .deleteFrom('dict')
        .where('site_id', '=', site)
        .where('dim', '=', dim)
        .where(({ or, eb }) => or([eb('id', 'in', ids), eb('value', '=', GONE)]))
        .execute()
      await trx
        .insertInto('dict')
        .values({ site_id: site, dim, id: (last ?? 0) + 1, value: GONE })
        .execute()
    }
  })
  await keep(trx, { site, watch }, rows)
  await raise(trx, site)
  return false
}
