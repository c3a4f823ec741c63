/** Writes visits as rows, and updates the rows of visits that were joined. */
import type { Store } from '../store.ts'
import type { VisitDimension } from '../tables/index.ts'
import { dictionaryOf, type FirstHitDimension, firstHitDimensions } from './dictionaries.ts'
import type { Visit, TextOrId } from './sessions.ts'
import { assign, bigint, type Column, insertInto, int, type Later, matching, type Run, statement } from '../sql/row-statements.ts'
import { VISITS_PER_VISITOR } from './visit-ids.ts'
import type { Visitor } from './visitor.ts'

export const visitIdOf = (visitor: Visitor, visit: Visit): number => visitor.number * VISITS_PER_VISITOR + visit.number

interface ChangedVisit {
  readonly visitor: Visitor
  readonly visit: Visit
}

const idIn = (dimension: VisitDimension, { visitor: { counters } }: ChangedVisit, word: TextOrId): number | Later =>
  counters.ids.of(counters, dictionaryOf[dimension], word)

const key = {
  site_id: int<ChangedVisit>(({ visitor }) => visitor.counters.site),
  day: int<ChangedVisit>(({ visitor }) => visitor.counters.day),
  visit_id: bigint<ChangedVisit>(({ visitor, visit }) => visitIdOf(visitor, visit)),
}

/** Columns that any hit may change. */
const changedByAnyHit = {
  duration: int<ChangedVisit>(({ visit }) => visit.lastAt - visit.startedAt),
  pageviews: int<ChangedVisit>(({ visit }) => visit.pageviews),
  events: int<ChangedVisit>(({ visit }) => visit.events),
  bounce: int<ChangedVisit>(({ visit }) => (visit.bounced ? 1 : 0)),
  revenue: bigint<ChangedVisit>(({ visit }) => visit.revenue),
  entry_page: int<ChangedVisit>(changed => idIn('entry_page', changed, changed.visit.entry?.page ?? 0)),
  exit_page: int<ChangedVisit>(changed => idIn('exit_page', changed, changed.visit.exit?.page ?? 0)),
  entry_after: int<ChangedVisit>(({ visit }) => (visit.entry ? visit.entry.at - visit.startedAt : 0)),
  exit_after: int<ChangedVisit>(({ visit }) => (visit.exit ? visit.exit.at - visit.startedAt : 0)),
  next_seq: int<ChangedVisit>(({ visit }) => visit.nextSeq),
  attended_at: bigint<ChangedVisit>(({ visit }) => visit.attendedAt),
  person: int<ChangedVisit>(({ visit }) => numberOf(visit.person)),
  person_after: int<ChangedVisit>(({ visit }) => (visit.person ? visit.person.at - visit.startedAt : 0)),
}

function numberOf(person: Visit['person']): number {
  if (typeof person?.of === 'string') throw new Error('a visit is written before its person has a number')
  return person?.of ?? 0
}

/** Changed by every hit, and never read back: the `rev` that `Visitors.count` gives the day. */
const stamp = { rev: int<ChangedVisit>(({ visitor }) => visitor.counters.rev + 1) }

/** Columns that a new first hit changes. */
const ofFirstHit = {
  started_at: bigint<ChangedVisit>(({ visit }) => visit.startedAt),
  ...everyDimension(dimension =>
    int<ChangedVisit>(changed => {
      const { first } = changed.visit
      if (typeof first === 'string') return firstIdOf(first, dimension)
      return idIn(dimension, changed, first[dimension])
    }),
  ),
}

function everyDimension<T>(value: (dimension: FirstHitDimension) => T): Record<FirstHitDimension, T> {
  const entries = firstHitDimensions.map(dimension => [dimension, value(dimension)])
  return Object.fromEntries(entries) as Record<FirstHitDimension, T>
}

const numbers = ['visit_id', 'started_at', ...Object.keys(changedByAnyHit)]

/** Returns the id of a dimension of a stored visit. @param text in the format of `visitText` */
export const firstIdOf = (text: string, dimension: FirstHitDimension): number =>
  Number(text.split(',')[numbers.length + firstHitDimensions.indexOf(dimension)])

/** SQL for a visit as one text of comma-separated numbers: reading 31 columns would cost more than finding the row. */
export const visitText = [...numbers, ...firstHitDimensions].join(` || ',' || `)

/** @param text visits in the form of `visitText`, separated by semicolons; '' for none. */
export const visitsOf = (text: string): Visit[] => (text === '' ? [] : text.split(';').map(visitOf))

function visitOf(text: string): Visit {
  const [
    visitId = 0,
    startedAt = 0,
    duration = 0,
    pageviews = 0,
    events = 0,
    bounce = 0,
    revenue = 0,
    entryPage = 0,
    exitPage = 0,
    entryAfter = 0,
    exitAfter = 0,
    nextSeq = 0,
    attendedAt = 0,
    person = 0,
    personAfter = 0,
  ] = text.split(',', numbers.length).map(Number)
  return {
    number: visitId % VISITS_PER_VISITOR,
    stored: true,
    startedAt,
    lastAt: startedAt + duration,
    attendedAt,
    pageviews,
    events,
    bounced: bounce === 1,
    revenue,
    entry: pageviews === 0 ? null : { page: entryPage, at: startedAt + entryAfter },
    exit: pageviews === 0 ? null : { page: exitPage, at: startedAt + exitAfter },
    person: person === 0 ? null : { at: startedAt + personAfter, of: person },
    first: text,
    restated: false,
    nextSeq,
    arrivals: [],
    absorbed: [],
  }
}

/** Runs once the ids are settled, in this order. */
interface VisitWrites {
  readonly joins: readonly Run[]
  readonly changes: readonly Run[]
}

/** Makes a function that returns the writes of the changed visits. */
export function visitWriter(store: Store): (visitors: readonly Visitor[]) => VisitWrites {
  const all = { ...changedByAnyHit, ...stamp, ...ofFirstHit }
  const put = insertInto<ChangedVisit, 'visits'>(store, {
    name: 'visit-rows.put',
    table: 'visits',
    columns: { ...key, ...all },
    conflict: `on conflict (site_id, day, visit_id) do update set ${assign(Object.keys(all), 'excluded')}`,
  })
  const update = statement<ChangedVisit>(store, {
    name: 'visit-rows.update',
    columns: { ...key, ...changedByAnyHit, ...stamp },
    body: `update visits set ${assign(Object.keys({ ...changedByAnyHit, ...stamp }), 'given')} from given
     where ${matching(Object.keys(key), 'visits', 'given')}`,
  })
  const absorb = absorber(store)

  return visitors => {
    const changed = visitors.flatMap(visitor =>
      visitor.visits.filter(visit => visit.arrivals.length > 0).map(visit => ({ visitor, visit })),
    )
    return {
      joins: absorb(changed.flatMap(({ visitor, visit }) => visit.absorbed.map(gone => ({ visitor, visit, ...gone })))),
      changes: [put(changed.filter(({ visit }) => visit.restated)), update(changed.filter(({ visit }) => !visit.restated))],
    }
  }
}

/** A stored visit, by its number, that was joined into another. */
interface Absorbed {
  readonly visitor: Visitor
  readonly visit: Visit
  readonly number: number
  readonly shift: number
}

function absorber(store: Store): (absorbed: readonly Absorbed[]) => readonly Run[] {
  const columns: Readonly<Record<string, Column<Absorbed>>> = {
    site_id: int(({ visitor }) => visitor.counters.site),
    day: int(({ visitor }) => visitor.counters.day),
    visit_id: bigint(({ visitor, number }) => visitor.number * VISITS_PER_VISITOR + number),
    into_id: bigint(({ visitor, visit }) => visitIdOf(visitor, visit)),
    shift: int(({ shift }) => shift),
  }
  const moves = ['hits', 'hit_props', 'vitals', 'clicks'].map(table =>
    statement<Absorbed>(store, {
      name: `visit-rows.absorb-${table}`,
      columns,
      body: `update ${table} set visit_id = given.into_id, seq = ${table}.seq + given.shift from given
       where ${matching(Object.keys(key), table, 'given')}`,
    }),
  )
  const remove = statement<Absorbed>(store, {
    name: 'visit-rows.absorb',
    columns,
    body: 'delete from visits where (site_id, day, visit_id) in (select site_id, day, visit_id from given)',
  })
  return absorbed => [...moves, remove].map(write => write(absorbed))
}
