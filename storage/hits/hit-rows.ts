/** Hits and what hangs on them, as rows. */
import type { Store, Trx } from '../store.ts'
import type { Ids } from './dictionary-ids.ts'
import { dictionaryOf, propertyDictionary } from './dictionaries.ts'
import type { NewHit } from './new-hit.ts'
import { bigint, insertInto, int, matching, real, statement, text } from './statements.ts'
import { MAX_INT, storableInt } from './storable.ts'
import { visitIdOf } from './visit-rows.ts'
import type { VisitorArrival } from './visitors.ts'

/** Attention to one page is counted up to a day. */
const MAX_ENGAGED_MS = 86_400_000

/** A hit where it was placed. Rows of what hangs on it say more. */
interface Placed {
  readonly hit: NewHit
  readonly site: number
  readonly day: number
  readonly visitId: number
  readonly seq: number
  readonly ids: Ids
}
interface Prop extends Placed { readonly key: number; readonly value: string; readonly num: number | null }
interface Measured extends Placed { readonly metric: string; readonly value: number }
interface Clicked extends Placed { readonly click: NewHit['clicks'][number] }

const ofVisit = {
  site_id: int<Placed>(({ site }) => site),
  day: int<Placed>(({ day }) => day),
  visit_id: bigint<Placed>(({ visitId }) => visitId),
}
const seq = int<Placed>(placed => placed.seq)
const page = int<Placed>(placed => placed.ids.of(placed, dictionaryOf.page, placed.hit.page))
const event = int<Placed>(placed =>
  placed.hit.kind === 'event' ? placed.ids.of(placed, dictionaryOf.event, placed.hit.event) : 0)

/** @returns the writing of the hits, to be run once the ids are settled, and after that of their visits. */
export function hitWriter(
  store: Store,
): (arrivals: readonly VisitorArrival[], ids: Ids) => Promise<(trx: Trx) => Promise<void>> {
  const insertHits = insertInto<Placed, 'hits'>(store, 'hits', {
    ...ofVisit,
    seq,
    at: bigint(({ hit }) => hit.at),
    page,
    event,
    interactive: int(({ hit }) => (hit.kind === 'event' && hit.interactive ? 1 : 0)),
    revenue: bigint(({ hit }) => hit.revenue),
    engaged_ms: int(() => 0),
    scroll: int(() => 0),
  })
  const insertProps = insertInto<Prop, 'hit_props'>(store, 'hit_props', {
    ...ofVisit,
    event,
    key: int(({ key }) => key),
    seq,
    value: int(prop => prop.ids.of(prop, propertyDictionary(prop.key), prop.value)),
    num: real(({ num }) => num),
  })
  const insertVitals = insertInto<Measured, 'vitals'>(store, 'vitals', {
    ...ofVisit,
    page,
    metric: text(({ metric }) => metric),
    seq,
    value: int(({ value }) => value),
    device: int(measured => measured.ids.of(measured, dictionaryOf.device, measured.hit.visit.device)),
  })
  const insertClicks = insertInto<Clicked, 'clicks'>(store, 'clicks', {
    ...ofVisit,
    page,
    seq,
    selector: int(clicked => clicked.ids.of(clicked, dictionaryOf.selector, clicked.click.selector)),
    x: int(({ click }) => storableInt(click.x, 0, 10_000)),
    y: int(({ click }) => storableInt(click.y, 0, MAX_INT)),
  })
  const engage = engagement(store)

  return async (arrivals, ids) => {
    for (const { hit, visitor } of arrivals) {
      for (const [key] of hit.props) ids.of(visitor.counters, dictionaryOf.prop_key, key)
    }
    await ids.settle()

    const placed = arrivals.map(arrival => placedBy(arrival, ids))
    const kept = placed.filter(({ hit }) => hit.kind === 'pageview' || hit.kind === 'event')
    const writes = [
      insertHits(kept),
      insertProps(kept.flatMap(propsOf)),
      engage(placed.filter(({ hit }) => hit.kind === 'engagement')),
      insertVitals(placed.flatMap(vitalsOf)),
      insertClicks(placed.flatMap(clicksOf)),
    ]
    return async trx => {
      for (const write of writes) await write(trx)
    }
  }
}

/** Adds to the last pageview of the page so far. */
const engagement = (store: Store) =>
  statement<Placed>(
    store,
    {
      ...ofVisit,
      page,
      at: bigint(({ hit }) => hit.at),
      engaged_ms: int(({ hit }) => hit.engagedMs),
      scroll: int(({ hit }) => hit.scroll),
    },
    `update hits set
       engaged_ms = case
         when hits.engaged_ms + seen.ms < ${MAX_ENGAGED_MS} then hits.engaged_ms + seen.ms
         else ${MAX_ENGAGED_MS} end,
       scroll = case when hits.scroll < seen.scroll then seen.scroll else hits.scroll end
     from (
       select site_id, day, visit_id, seq, sum(engaged_ms) as ms, max(scroll) as scroll
       from (
         select given.*, (
           select h.seq from hits as h
           where ${matching(['site_id', 'day', 'visit_id', 'page'], 'h', 'given')} and h.event = 0 and h.at <= given.at
           order by h.at desc, h.seq desc limit 1
         ) as seq
         from given
       ) as aimed
       group by site_id, day, visit_id, seq
     ) as seen
     where ${matching(['site_id', 'day', 'visit_id', 'seq'], 'hits', 'seen')}`,
  )

const placedBy = ({ hit, visitor, visit, seq }: VisitorArrival, ids: Ids): Placed => ({
  hit,
  site: visitor.counters.site,
  day: visitor.counters.day,
  visitId: visit ? visitIdOf(visitor, visit) : 0,
  seq,
  ids,
})

/** Keys that are alike once they are cut to size are one: the first counts. */
function propsOf(placed: Placed): Prop[] {
  const props = new Map<number, Prop>()
  for (const [name, value, num] of placed.hit.props) {
    const key = placed.ids.settled(placed, dictionaryOf.prop_key, name)
    if (!props.has(key)) props.set(key, { key, value, num, ...placed })
  }
  return [...props.values()]
}

const vitalsOf = (placed: Placed): Measured[] =>
  placed.hit.kind === 'vitals'
    ? Object.entries(placed.hit.vitals).map(([metric, measured]) => (
        { metric, value: storableInt(metric === 'cls' ? measured * 1000 : measured, 0, MAX_INT), ...placed }
      ))
    : []

const clicksOf = (placed: Placed): Clicked[] =>
  placed.hit.kind === 'clicks' ? placed.hit.clicks.map((click, i) => ({ click, ...placed, seq: placed.seq + i })) : []
