/**
 * Deletes a person: at once the row with all that is known of them, then their visits with every hit, a few at a time. Later hits
 * with the same id belong to a new person.
 */
import { type Kysely, sql } from 'kysely'
import { among, type Cluster } from '../cluster/cluster.ts'
import { clusterOf } from '../moved-days/cluster-days.ts'
import { type StoreName, storeNameOf } from '../moved-days/day-store.ts'
import { rowReturner } from '../moved-days/moving.ts'
import { blocksOf } from '../moved-days/packed-days.ts'
import { openBlock } from '../packed/block.ts'
import { inSnapshot } from '../snapshots/snapshots.ts'
import type { Db, Store, Trx } from '../store.ts'
import { yieldWhereDue } from '../system/event-loop.ts'
import type { Tables } from '../tables/index.ts'
import { raiseRevision } from './days.ts'
import { deleteNoting, goneTexts } from './gone-texts.ts'

export interface PersonOfDay {
  readonly site: number
  readonly day: number
  readonly person: number
}

/** Deletes up to `limit` visits of a person on a day, with all of their rows. @returns their number, and the number of their hits */
export type ErasePersonSome = (trx: Trx, of: PersonOfDay, limit: number) => Promise<{ visits: number; hits: number }>

export function personEraser(store: Store): ErasePersonSome {
  const bringBack = rowReturner(store)
  return async (trx, of, limit) => {
    const { site, day } = of
    await store.dialect.lockSites(trx, [site])
    await bringBack(trx, of)
    const ids = await visitsOf(trx, of, limit)
    if (ids.length === 0) return { visits: 0, hits: 0 }
    let hits = 0
    const gone = goneTexts()
    for (const table of ['hit_props', 'vitals', 'clicks', 'hits', 'visits'] as const) {
      const which = sql`site_id = ${site} and day = ${day} and visit_id in (${sql.join(ids)})`
      const { length } = await deleteNoting(trx, gone, table, which)
      if (table === 'hits') hits = length
    }
    await gone.note(trx, site)
    await raiseRevision(trx, { site, day })
    return { visits: ids.length, hits }
  }
}

async function visitsOf(db: Kysely<Tables>, { site, day, person }: PersonOfDay, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('visits')
    .select('visit_id')
    .where('site_id', '=', site)
    .where('day', '=', day)
    .where('person', '=', person)
    .limit(limit)
    .execute()
  return rows.map(({ visit_id }) => visit_id)
}

/** Whether a day has visits of a person, wherever its rows are. */
export function hasVisitsOf({ read, cluster }: Store, of: PersonOfDay): Promise<boolean> {
  return inSnapshot(read, [of.site], db => hasVisitsIn(db, cluster, of)) // in one snapshot, because the rows may be moved meanwhile
}

async function hasVisitsIn(db: Db, cluster: Cluster | undefined, of: PersonOfDay): Promise<boolean> {
  const found = db.selectFrom('site_days').select('moved').where('site_id', '=', of.site).where('day', '=', of.day)
  const copy = (await found.executeTakeFirst())?.moved ?? 0
  if (copy === 0) return (await visitsOf(db, of, 1)).length > 0
  return findersOf[storeNameOf(copy)](db, { of, copy, cluster })
}

interface FindVisits {
  readonly of: PersonOfDay
  readonly copy: number
  readonly cluster: Cluster | undefined
}

const findersOf: Readonly<Record<StoreName, (db: Db, find: FindVisits) => Promise<boolean>>> = {
  async packed(db, { of: { site, day, person } }) {
    for (const data of await blocksOf(db, site, day)) {
      if (openBlock(data).get('person').includes(person)) return true
      await yieldWhereDue()
    }
    return false
  },
  async clickhouse(_, { of: { site, day, person }, copy, cluster }) {
    const { rows } = await clusterOf(cluster).read(
      `select visitor from footfall_visits where ${among(site, [{ day, copy }])} and person = ${person} limit 1`,
    )
    return rows > 0
  },
}
