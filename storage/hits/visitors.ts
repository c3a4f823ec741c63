/** Reads and writes the visitors of a batch, with their visits of the day so far. */
import { rowReturner } from '../moved-days/moving.ts'
import type { Store, Trx } from '../store.ts'
import type { SaltedDay } from './days.ts'
import type { Ids } from './dictionary-ids.ts'
import type { KnownDay, KnownVisitors } from './known-visitors.ts'
import { visitorHash } from './identity.ts'
import type { NewHit } from './new-hit.ts'
import { insertInto, int, matching, type Statement, statement, text } from '../sql/row-statements.ts'
import { grouped } from '../values/grouped.ts'
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

/** The visitors of a batch. */
export interface Loaded {
  /** The visitor of an identity, known or new; undefined if the site, and with it the day, was deleted. */
  of(identity: Identity): Visitor | undefined
  /** Makes them known to later batches. Call it after the commit. @param counted the days whose `rev` was increased */
  remember(counted: ReadonlySet<DayCounters>): void
}

interface Load {
  readonly ids: Ids
  readonly identities: readonly Identity[]
  /** The visitors of the batches before, if they are remembered. */
  readonly known: KnownVisitors | undefined
}

export interface Visitors {
  load(trx: Trx, load: Load): Promise<Loaded>
  insert: Statement<Visitor>
  /** Stores the counters and increases the `rev` of the days. */
  count: Statement<DayCounters>
}

interface FoundDay extends Pick<Identity, 'site_id' | 'day'> {
  readonly next_visitor: number
  readonly next_loose: number
  readonly rev: number
  readonly moved: number
}

interface Found extends FoundDay, Omit<Identity, 'key'> {
  readonly visitor: number | null
  /** In the form that `visitsOf` reads. */
  readonly visits: string | null
}

export function visitorsOf(store: Store): Visitors {
  const findDays = statement<Identity, FoundDay>(store, {
    name: 'visitors.find-days',
    columns: { site_id: int(({ site_id }) => site_id), day: int(({ day }) => day) },
    body: `select given.*, site_days.next_visitor, site_days.next_loose, site_days.rev, site_days.moved
     from given join site_days on ${matching(['site_id', 'day'], 'site_days', 'given')}`,
  })
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
    const away = new Map(rows.filter(({ moved }) => moved !== 0).map(row => [dayOf(row), row]))
    if (away.size === 0) return rows
    for (const { site_id: site, day } of away.values()) await bringBack(trx, { site, day })
    return find(identities)(trx)
  }

  /** The days of visitors, with the visitors that earlier batches knew. Nothing is known of a day whose rows were moved. */
  async function daysOf(trx: Trx, identities: Iterable<Identity>, known: KnownVisitors): Promise<Map<string, FoundDay & KnownDay>> {
    const days = new Map<string, FoundDay & KnownDay>()
    const asked = new Map([...identities].map(identity => [dayOf(identity), identity]))
    for (const row of await findDays([...asked.values()])(trx)) {
      const before = known.take(dayOf(row), row.rev)
      const isHere = row.moved === 0
      const none = { isComplete: isHere && row.next_visitor === 1, visitors: new Map() }
      days.set(dayOf(row), { ...row, ...((isHere && before) || none) })
    }
    return days
  }

  async function load(trx: Trx, { ids, identities, known }: Load): Promise<Loaded> {
    const asked = new Map(identities.map(identity => [identity.key, identity]))
    const visitors = new Map<string, Visitor>()
    const daysFound = new Map<string, DayCounters>()
    function put(row: FoundDay, hash: string, { number, visits }: Pick<Visitor, 'number' | 'visits'>): void {
      const counters = daysFound.get(dayOf(row)) ?? countersOf(row, ids)
      daysFound.set(dayOf(row), counters)
      visitors.set(keyOf(row.site_id, row.day, hash), { counters, hash, number, visits })
    }
    const days = known ? await daysOf(trx, asked.values(), known) : undefined
    const unknown: Identity[] = []
    for (const identity of asked.values()) {
      const day = days?.get(dayOf(identity))
      const before = day?.visitors.get(identity.hash) ?? (day?.isComplete ? { number: 0, visits: [] } : undefined)
      if (day && before) put(day, identity.hash, before)
      else unknown.push(identity)
    }
    for (const row of await findHere(trx, unknown)) put(row, row.hash, { number: row.visitor ?? 0, visits: visitsOf(row.visits ?? '') })
    return {
      of: ({ key }) => visitors.get(key),
      remember(counted) {
        const changed = grouped(visitors.values(), ({ counters }) => counters)
        for (const [counters, some] of changed) {
          const day = dayOf({ site_id: counters.site, day: counters.day })
          const before = days?.get(day)
          if (before) known?.remember(day, before, { changed: some, rev: counters.rev + (counted.has(counters) ? 1 : 0) })
        }
      },
    }
  }

  return Object.freeze<Visitors>({ load, insert, count })
}

const dayOf = ({ site_id, day }: Pick<Identity, 'site_id' | 'day'>): string => `${site_id} ${day}`

const keyOf = (site: number, day: number, hash: string): string => `${site} ${day} ${hash}`

const countersOf = (row: FoundDay, ids: Ids): DayCounters => ({
  site: row.site_id,
  day: row.day,
  ids,
  nextVisitor: row.next_visitor,
  nextLoose: row.next_loose,
  rev: row.rev,
})
