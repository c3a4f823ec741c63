/**
 * Gives stored visits another `custom_channel`, a few at a time, and increases the day's `rev`, so that reports and
 * sealed days follow.
 */
import type { Kysely } from 'kysely'
import { among, type Cluster, type Copy } from '../cluster/cluster.ts'
import { clusterOf } from '../moved-days/cluster-days.ts'
import { byStore, type StoreName } from '../moved-days/day-store.ts'
import { rowReturner } from '../moved-days/moving.ts'
import { blocksOf } from '../moved-days/packed-days.ts'
import { openBlock } from '../packed/block.ts'
import type { Store, Trx } from '../store.ts'
import { eachInTurns, yieldWhereDue } from '../system/event-loop.ts'
import type { Tables } from '../tables/index.ts'
import { arrivalDimensions, type ArrivalTexts } from './arrivals.ts'
import { raiseRevision } from './days.ts'
import { dictionaryOf } from './dictionaries.ts'
import { keepTexts } from './gone-texts.ts'
import { bigint, int, matching, statement } from '../sql/row-statements.ts'

const read = ['channel', 'custom_channel', ...arrivalDimensions] as const
type IdsOfVisit = Record<(typeof read)[number], number>

interface Restated {
  readonly site: number
  readonly day: number
  readonly visit_id: number
  readonly custom_channel: number
  readonly rev: number
}

/**
 * @param channelOf the channel of a visit
 * @returns the number of changed visits, and the visit to continue with; null at the end of the day
 */
export type RestateSome = (
  trx: Trx,
  of: {
    readonly site: number
    readonly day: number
    readonly from: number
    readonly limit: number
    channelOf(texts: ArrivalTexts): string
  },
) => Promise<{ readonly changed: number; readonly next: number | null }>

export function channelRestater(store: Store): RestateSome {
  const update = statement<Restated>(store, {
    name: 'restate-channels.update',
    columns: {
      site_id: int(visit => visit.site),
      day: int(visit => visit.day),
      visit_id: bigint(visit => visit.visit_id),
      custom_channel: int(visit => visit.custom_channel),
      rev: int(visit => visit.rev),
    },
    body: `update visits set custom_channel = given.custom_channel, rev = given.rev from given
     where ${matching(['site_id', 'day', 'visit_id'], 'visits', 'given')}`,
  })
  const bringBack = rowReturner(store)
  return async (trx, { site, day, from, limit, channelOf }) => {
    await store.dialect.lockSites(trx, [site])
    await bringBack(trx, { site, day })
    const visits = await trx
      .selectFrom('visits')
      .select(['visit_id', ...read])
      .where('site_id', '=', site)
      .where('day', '=', day)
      .where('visit_id', '>=', from)
      .orderBy('visit_id')
      .limit(limit)
      .execute()
    const textsOf = await readTexts(trx, site, visits)
    const wanted = await eachInTurns(visits, visit => ({ visit, channel: channelOf(textsOf(visit)) }))
    const idOf = await channelIds(trx, site, new Set(wanted.map(({ channel }) => channel)))
    const other = wanted.filter(({ visit, channel }) => idOf(channel) !== visit.custom_channel)
    if (other.length > 0) {
      const rev = await raiseRevision(trx, { site, day })
      if (rev === undefined) throw new Error(`site ${site} has visits of day ${day}, which has no row in site_days`)
      await update(other.map(({ visit, channel }) => ({ site, day, visit_id: visit.visit_id, custom_channel: idOf(channel), rev })))(trx)
    }
    const last = visits.at(-1)
    return { changed: other.length, next: visits.length < limit || !last ? null : last.visit_id + 1 }
  }
}

/** Counts the visits of a range by the columns that their channel is derived from. @returns undefined for more than `max` groups */
export async function countArrivals(
  db: Kysely<Tables>,
  cluster: Cluster | undefined,
  { site, fromDay, toDay, max }: { site: number; fromDay: number; toDay: number; max: number },
): Promise<readonly { readonly texts: ArrivalTexts; readonly before: string; readonly visits: number }[] | undefined> {
  const here = await db
    .selectFrom('visits')
    .select([...read])
    .select(({ fn }) => fn.countAll<number>().as('visits'))
    .where('site_id', '=', site)
    .where('day', '>=', fromDay)
    .where('day', '<=', toDay)
    .where('day', 'not in', movedDays(db, site).select('day'))
    .groupBy([...read])
    .limit(max + 1)
    .execute()
  const copies = await movedDays(db, site).select(['day', 'moved as copy']).where('day', '>=', fromDay).where('day', '<=', toDay).execute()
  const groups = [...here]
  for (const [name, some] of byStore(copies, ({ copy }) => copy))
    groups.push(...(await countersOf[name](db, { cluster, site, copies: some, max })))
  if (groups.length > max) return undefined
  const textsOf = await readTexts(db, site, groups)
  return groups.map(group => {
    const { custom_channel: before, ...texts } = textsOf(group)
    return { texts, before, visits: group.visits }
  })
}

const movedDays = (db: Kysely<Tables>, site: number) => db.selectFrom('site_days').where('site_id', '=', site).where('moved', '<>', 0)

interface InCopies {
  readonly cluster: Cluster | undefined
  readonly site: number
  readonly copies: readonly Copy[]
  readonly max: number
}
type Counted = (IdsOfVisit & { visits: number })[]

/** Count the same groups in copies. A group may also be in the tables. They return more than `max` groups if there are more. */
const countersOf: Readonly<Record<StoreName, (db: Kysely<Tables>, of: InCopies) => Promise<Counted>>> = {
  packed: countedInBlocks,
  clickhouse: countedInCluster,
}

async function countedInCluster(_: Kysely<Tables>, { cluster, site, copies, max }: InCopies): Promise<Counted> {
  const { rows, column } = await clusterOf(cluster).read(
    `select ${read.join(', ')}, count() as visits from footfall_visits where ${among(site, copies)} group by ${read.join(', ')} limit ${max + 1}`,
  )
  return Array.from({ length: rows }, (_, i) => {
    const of = (name: string): number => column(name).values[i] ?? 0
    return { ...(Object.fromEntries(read.map(name => [name, of(name)])) as IdsOfVisit), visits: of('visits') } // one each
  })
}

async function countedInBlocks(db: Kysely<Tables>, { site, copies, max }: InCopies): Promise<Counted> {
  const groups = new Map<string, IdsOfVisit & { visits: number }>()
  for (const { day } of copies) {
    for (const data of await blocksOf(db, site, day)) {
      const block = openBlock(data)
      const columns = read.map(name => block.get(name))
      for (let v = 0; v < block.counts.visits; v++) {
        const ids = columns.map(column => column[v] ?? 0)
        const key = ids.join()
        const group = groups.get(key)
        if (group) group.visits++
        else groups.set(key, { ...(Object.fromEntries(read.map((name, i) => [name, ids[i] ?? 0])) as IdsOfVisit), visits: 1 }) // one each
      }
      await yieldWhereDue()
      if (groups.size > max) return [...groups.values()]
    }
  }
  return [...groups.values()]
}

const chunk = 1_000

/** Reads the texts of ids. @returns a function for the texts of one row */
async function readTexts(
  db: Kysely<Tables>,
  site: number,
  rows: readonly IdsOfVisit[],
): Promise<(row: IdsOfVisit) => Record<(typeof read)[number], string>> {
  const byDictionary = new Map<number, Map<number, string>>()
  for (const dictionary of new Set(read.map(name => dictionaryOf[name]))) {
    const texts = new Map<number, string>()
    byDictionary.set(dictionary, texts)
    const names = read.filter(name => dictionaryOf[name] === dictionary)
    const ids = [...new Set(rows.flatMap(row => names.map(name => row[name])))].filter(id => id !== 0)
    for (let i = 0; i < ids.length; i += chunk) {
      const found = await db
        .selectFrom('dict')
        .select(['id', 'value'])
        .where('site_id', '=', site)
        .where('dim', '=', dictionary)
        .where('id', 'in', ids.slice(i, i + chunk))
        .execute()
      for (const { id, value } of found) texts.set(id, value)
    }
  }
  const textOf = (name: (typeof read)[number], id: number) => byDictionary.get(dictionaryOf[name])?.get(id) ?? ''
  return row => Object.fromEntries(read.map(name => [name, textOf(name, row[name])])) as Record<(typeof read)[number], string> // one each
}

/** Call with the site locked: new ids follow the highest. */
async function channelIds(trx: Trx, site: number, channels: ReadonlySet<string>): Promise<(channel: string) => number> {
  const dim = dictionaryOf.custom_channel
  const known = await trx.selectFrom('dict').select(['id', 'value']).where('site_id', '=', site).where('dim', '=', dim).execute()
  const ids = new Map(known.map(({ id, value }) => [value, id]))
  const used = known.filter(({ value }) => channels.has(value)).map(({ id }) => id)
  await keepTexts(trx, { site, dictionary: dim, ids: used })
  let last = Math.max(0, ...known.map(({ id }) => id))
  for (const value of channels) {
    if (value === '' || ids.has(value)) continue
    ids.set(value, ++last)
    await trx.insertInto('dict').values({ site_id: site, dim, id: last, value }).execute()
  }
  return channel => ids.get(channel) ?? 0
}
