/** Reads and writes the visitors of a batch, with their visits of the day so far. */
import { rowReturner } from '../moved-days/moving.ts'
import type { Store, Trx } from '../store.ts'
import type { SaltedDay } from './days.ts'
import type { Ids } from './dictionary-ids.ts'
import { visitorHash } from './identity.ts'
import type { NewHit } from './new-hit.ts'
import { insertInto, int, matching, type Statement, statement, text } from '../sql/row-statements.ts'
import { VISITS_PER_VISITOR } from './visit-ids.ts'
import { visitsOf, visitText } from './visit-rows.ts'
import type { DayCounters, Visitor } from './visitor.ts'

/** The sender of a hit: a key of `visitors`. */
export interface Identity {
  readonly site_id: number
  readonly day: number
  readonly hash: string
  /** All three as one text. */
  readonly key: string
}

export function identify(hit: NewHit, { site, day, salt }: SaltedDay): Identity {
  const hash = visitorHash(salt, hit)
  return { site_id: site, day, hash, key: keyOf(site, day, hash) }
}

export interface Visitors {
  /** @returns a look-up of the visitor of an identity, known or new; undefined if the site, and with it the day, was deleted */
  load(trx: Trx, ids: Ids, identities: readonly Identity[]): Promise<(identity: Identity) => Visitor | undefined>
  insert: Statement<Visitor>
  /** Stores the counters and increases the `rev` of the days. */
  count: Statement<DayCounters>
}

interface Found extends Omit<Identity, 'key'> {
  readonly next_visitor: number
  readonly next_loose: number
  readonly rev: number
  readonly moved: number
  readonly visitor: number | null
  /** In the form that `visitsOf` reads. */
  readonly visits: string | null
}

export function visitorsOf(store: Store): Visitors {
  const find = statement<Identity, Found>(store, {
    name: 'visitors.find',
    columns: {
      site_id: int(identity => identity.site_id),
      day: int(identity => identity.day),
      hash: text(identity => identity.hash),
    },
    body: `select given.*, site_days.next_visitor, site_days.next_loose, site_days.rev, site_days.moved, visitors.visitor, (
       select string_agg(${visitText}, ';') from visits
       where ${matching(['site_id', 'day'], 'visits', 'visitors')}
         and visit_id > visitors.visitor * cast(${VISITS_PER_VISITOR} as bigint)
         and visit_id < (visitors.visitor + 1) * cast(${VISITS_PER_VISITOR} as bigint)
     ) as visits
     from given
       join site_days on ${matching(['site_id', 'day'], 'site_days', 'given')}
       left join visitors on ${matching(['site_id', 'day', 'hash'], 'visitors', 'given')}`,
  })
  const bringBack = rowReturner(store)
  const insert = insertInto<Visitor, 'visitors'>(store, {
    name: 'visitors.insert',
    table: 'visitors',
    columns: {
      site_id: int(visitor => visitor.counters.site),
      day: int(visitor => visitor.counters.day),
      hash: text(visitor => visitor.hash),
      visitor: int(visitor => visitor.number),
    },
  })
  const count = statement<DayCounters>(store, {
    name: 'visitors.count',
    columns: {
      site_id: int(tally => tally.site),
      day: int(tally => tally.day),
      next_visitor: int(tally => tally.nextVisitor),
      next_loose: int(tally => tally.nextLoose),
    },
    body: `update site_days set next_visitor = given.next_visitor, next_loose = given.next_loose, rev = rev + 1
     from given where ${matching(['site_id', 'day'], 'site_days', 'given')}`,
  })

  /** Finds visitors and their visits. Rows that were moved to ClickHouse are brought back first. */
  async function findHere(trx: Trx, identities: readonly Identity[]): Promise<readonly Found[]> {
    const rows = await find(identities)(trx)
    const away = new Map(rows.filter(({ moved }) => moved !== 0).map(row => [`${row.site_id} ${row.day}`, row]))
    if (away.size === 0) return rows
    for (const { site_id: site, day } of away.values()) await bringBack(trx, { site, day })
    return find(identities)(trx)
  }

  async function load(trx: Trx, ids: Ids, identities: readonly Identity[]): ReturnType<Visitors['load']> {
    const asked = new Map(identities.map(identity => [identity.key, identity]))
    const visitors = new Map<string, Visitor>()
    const daysFound = new Map<string, DayCounters>()
    for (const row of await findHere(trx, [...asked.values()])) {
      const day = `${row.site_id} ${row.day}`
      const counters = daysFound.get(day) ?? countersOf(row, ids)
      daysFound.set(day, counters)
      visitors.set(keyOf(row.site_id, row.day, row.hash), {
        counters,
        hash: row.hash,
        number: row.visitor ?? 0,
        visits: visitsOf(row.visits ?? ''),
      })
    }
    return ({ key }) => visitors.get(key)
  }

  return Object.freeze<Visitors>({ load, insert, count })
}

const keyOf = (site: number, day: number, hash: string): string => `${site} ${day} ${hash}`

const countersOf = (row: Found, ids: Ids): DayCounters => ({
  site: row.site_id,
  day: row.day,
  ids,
  nextVisitor: row.next_visitor,
  nextLoose: row.next_loose,
  rev: row.rev,
})
