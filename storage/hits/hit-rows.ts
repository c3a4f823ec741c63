/** Writes hits, and their properties, vitals and clicks, as rows. */
import type { Store } from '../store.ts'
import type { Ids } from './dictionary-ids.ts'
import { dictionaryOf, propertyDictionary } from './dictionaries.ts'
import type { NewHit } from './new-hit.ts'
import { bigint, insertInto, int, type Later, matching, real, type Run, statement, text } from '../sql/row-statements.ts'
import { MAX_INT, storableInt } from './value-limits.ts'
import { visitIdOf } from './visit-rows.ts'
import type { VisitorArrival } from './visitor.ts'
import { DAY_MS } from '../values/durations.ts'

/** Longest engagement with a page: a day. */
const MAX_ENGAGED_MS = DAY_MS

/** One property of a hit. */
interface Prop extends VisitorArrival {
  readonly key: number
  readonly value: string
  readonly num: number | null
}
interface Measured extends VisitorArrival {
  readonly metric: string
  readonly value: number
}
interface Clicked extends VisitorArrival {
  readonly click: NewHit['clicks'][number]
}

const idIn = (dictionary: number, { visitor: { counters } }: VisitorArrival, text: string): number | Later =>
  counters.ids.of(counters, dictionary, text)

const ofVisit = {
  site_id: int<VisitorArrival>(({ visitor }) => visitor.counters.site),
  day: int<VisitorArrival>(({ visitor }) => visitor.counters.day),
  visit_id: bigint<VisitorArrival>(({ visitor, visit }) => (visit ? visitIdOf(visitor, visit) : 0)),
}
const seq = int<VisitorArrival>(arrival => arrival.seq)
const page = int<VisitorArrival>(arrival => idIn(dictionaryOf.page, arrival, arrival.hit.page))
const event = int<VisitorArrival>(arrival => (arrival.hit.kind === 'event' ? idIn(dictionaryOf.event, arrival, arrival.hit.event) : 0))

/** Runs once the ids are settled. */
interface HitWrites {
  readonly rows: readonly Run[]
  /** Changes rows of the same hits: runs after them. */
  readonly engagements: Run
}

/** Makes a function that returns the writes of hits. */
export function hitWriter(store: Store): (arrivals: readonly VisitorArrival[], ids: Ids) => Promise<HitWrites> {
  const insertHits = insertInto<VisitorArrival, 'hits'>(store, {
    name: 'hit-rows.hits',
    table: 'hits',
    columns: {
      ...ofVisit,
      seq,
      at: bigint(({ hit }) => hit.at),
      page,
      event,
      interactive: int(({ hit }) => (hit.kind === 'event' && hit.interactive ? 1 : 0)),
      revenue: bigint(({ hit }) => hit.revenue),
      engaged_ms: int(({ hit }) => hit.engagedMs),
      scroll: int(({ hit }) => hit.scroll),
      host: int(arrival => idIn(dictionaryOf.hostname, arrival, arrival.hit.visit.hostname)),
    },
  })
  const insertProps = insertInto<Prop, 'hit_props'>(store, {
    name: 'hit-rows.props',
    table: 'hit_props',
    columns: {
      ...ofVisit,
      event,
      key: int(({ key }) => key),
      seq,
      value: int(prop => idIn(propertyDictionary(prop.key), prop, prop.value)),
      num: real(({ num }) => num),
    },
  })
  const insertVitals = insertInto<Measured, 'vitals'>(store, {
    name: 'hit-rows.vitals',
    table: 'vitals',
    columns: {
      ...ofVisit,
      page,
      metric: text(({ metric }) => metric),
      seq,
      value: int(({ value }) => value),
      device: int(measured => idIn(dictionaryOf.device, measured, measured.hit.visit.device)),
    },
  })
  const insertClicks = insertInto<Clicked, 'clicks'>(store, {
    name: 'hit-rows.clicks',
    table: 'clicks',
    columns: {
      ...ofVisit,
      page,
      seq,
      selector: int(clicked => idIn(dictionaryOf.selector, clicked, clicked.click.selector)),
      x: int(({ click }) => storableInt(click.x, 0, 10_000)),
      y: int(({ click }) => storableInt(click.y, 0, MAX_INT)),
    },
  })
  const engage = engagement(store)

  return async (arrivals, ids) => {
    for (const arrival of arrivals) {
      for (const [key] of arrival.hit.props) idIn(dictionaryOf.prop_key, arrival, key)
    }
    await ids.settle() // the values' dictionary depends on the settled id of the key

    const kept = arrivals.filter(({ hit }) => hit.kind === 'pageview' || hit.kind === 'event')
    return {
      rows: [
        insertHits(kept),
        insertProps(kept.flatMap(propsOf)),
        insertVitals(arrivals.flatMap(vitalsOf)),
        insertClicks(arrivals.flatMap(clicksOf)),
      ],
      engagements: engage(arrivals.filter(({ hit }) => hit.kind === 'engagement')),
    }
  }
}

/** Adds an engagement to the last pageview of the page, or to its last event if it has no pageview. */
const engagement = (store: Store) =>
  statement<VisitorArrival>(store, {
    name: 'hit-rows.engage',
    columns: {
      ...ofVisit,
      page,
      at: bigint(({ hit }) => hit.at),
      engaged_ms: int(({ hit }) => hit.engagedMs),
      scroll: int(({ hit }) => hit.scroll),
    },
    body: `update hits set
       engaged_ms = case
         when hits.engaged_ms + seen.ms < ${MAX_ENGAGED_MS} then hits.engaged_ms + seen.ms
         else ${MAX_ENGAGED_MS} end,
       scroll = case when hits.scroll < seen.scroll then seen.scroll else hits.scroll end
     from (
       select site_id, day, visit_id, seq, sum(engaged_ms) as ms, max(scroll) as scroll
       from (
         select given.*, (
           select h.seq from hits as h
           where ${matching(['site_id', 'day', 'visit_id', 'page'], 'h', 'given')} and h.at <= given.at
           order by case when h.event = 0 then 0 else 1 end, h.at desc, h.seq desc limit 1
         ) as seq
         from given
       ) as aimed
       group by site_id, day, visit_id, seq
     ) as seen
     where ${matching(['site_id', 'day', 'visit_id', 'seq'], 'hits', 'seen')}`,
  })

/** Makes rows of a hit's properties. Keys that become equal when shortened are merged; the first value counts. */
function propsOf(arrival: VisitorArrival): Prop[] {
  const { counters } = arrival.visitor
  const props = new Map<number, Prop>()
  for (const [name, value, num] of arrival.hit.props) {
    const key = counters.ids.settled(counters, dictionaryOf.prop_key, name)
    if (!props.has(key)) props.set(key, { key, value, num, ...arrival })
  }
  return [...props.values()]
}

const vitalsOf = (arrival: VisitorArrival): Measured[] =>
  arrival.hit.kind === 'vitals'
    ? Object.entries(arrival.hit.vitals).map(([metric, measured]) => ({
        metric,
        value: storableInt(metric === 'cls' ? measured * 1000 : measured, 0, MAX_INT),
        ...arrival,
      }))
    : []

const clicksOf = (arrival: VisitorArrival): Clicked[] =>
  arrival.hit.kind === 'clicks' ? arrival.hit.clicks.map((click, i) => ({ click, ...arrival, seq: arrival.seq + i })) : []
