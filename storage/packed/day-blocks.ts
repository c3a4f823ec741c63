/** Rows of a day as blocks of whole visits, and back. The order of rows within a table is not kept. */
import { visitDimensions } from '../tables/index.ts'
import { clickFields, type DayRows, hitFields, propFields, type Rows, rowsOf, vitalFields, visitFields } from '../cluster/day-rows.ts'
import { type Block, type Columns, openBlock, packBlock } from './block.ts'
import { FIRST_WHOLE, FLOAT, NO_NUMBER } from './fields.ts'
import type { NumberList } from './known.ts'

/** Hits in a block, unless one visit has more: unpacking a block must not hold up the event loop for long. */
export const HITS_A_BLOCK = 5_000

const VISITS_A_VISITOR = 256

/** Places of rows in a table, in the order of a block, and the ids of their visits. */
interface Sorted {
  readonly places: Uint32Array
  readonly ids: NumberList
}

/** @throws Error if hits or properties do not belong to the visits @throws RangeError as `packBlock` says */
export function* packDay(rows: DayRows, hitsABlock = HITS_A_BLOCK): Generator<Uint8Array> {
  const visits = sorted(rows.visits, ['visit_id'])
  const hits = sorted(rows.hits, ['visit_id', 'at', 'seq'])
  const props = sorted(rows.props, ['visit_id', 'seq', 'key'])
  const vitals = sorted(rows.vitals, ['visit_id', 'seq', 'metric', 'page', 'device'])
  const clicks = sorted(rows.clicks, ['visit_id', 'seq', 'page'])
  const next = { visits: 0, hits: 0, props: 0, vitals: 0, clicks: 0 }
  const total = rows.visits.visit_id.length

  /** Rows up to a visit. */
  function until({ places, ids }: Sorted, from: number, end: number): number {
    let to = from
    while (to < places.length && ids[places[to]!]! < end) to++
    return to
  }

  do {
    const from = { ...next }
    while (next.visits < total) {
      next.visits++
      const id = rows.visits.visit_id[visits.places[next.visits - 1]!]!
      next.hits = until(hits, next.hits, id + 1)
      const following = next.visits < total ? rows.visits.visit_id[visits.places[next.visits]!]! : Infinity
      if (following === Infinity) break
      const hitsOfFollowing = until(hits, next.hits, following + 1) - next.hits
      if (next.hits - from.hits + hitsOfFollowing > hitsABlock) break
    }
    const end = next.visits < total ? rows.visits.visit_id[visits.places[next.visits]!]! : Infinity
    next.hits = until(hits, next.hits, end)
    next.props = until(props, next.props, end)
    next.vitals = until(vitals, next.vitals, end)
    next.clicks = until(clicks, next.clicks, end)
    const part = <Name extends string>(of: Rows<Name>, { places }: Sorted, names: readonly Name[], [a, b]: readonly [number, number]) => {
      const own = places.subarray(a, b)
      return rowsOf(names, name => Array.from(own, place => of[name][place]!))
    }
    yield packBlock(
      columnsOf({
        visits: part(rows.visits, visits, visitFields, [from.visits, next.visits]),
        hits: part(rows.hits, hits, hitFields, [from.hits, next.hits]),
        props: part(rows.props, props, propFields, [from.props, next.props]),
        vitals: part(rows.vitals, vitals, vitalFields, [from.vitals, next.vitals]),
        clicks: part(rows.clicks, clicks, clickFields, [from.clicks, next.clicks]),
      }),
    )
  } while (next.visits < total)
}

function sorted<Name extends string>(rows: Rows<Name | 'visit_id'>, by: readonly (Name | 'visit_id')[]): Sorted {
  const keys = by.map(name => rows[name])
  const places = Uint32Array.from(rows.visit_id, (_, i) => i)
  const order = (a: number, b: number): number => {
    for (const key of keys) {
      const difference = key[a]! - key[b]!
      if (difference !== 0) return difference
    }
    return 0
  }
  let isSorted = true
  for (let i = 1; i < places.length && isSorted; i++) isSorted = order(i - 1, i) <= 0
  return { places: isSorted ? places : places.sort(order), ids: rows.visit_id }
}

/** The fields of rows that are in order. */
function columnsOf({ visits, hits, props, vitals, clicks }: DayRows): Columns {
  const placeOfVisit = new Map(visits.visit_id.map((id, i) => [id, i]))
  const hitsOfVisit = new Array<number>(visits.visit_id.length).fill(0)
  const sells = new Array<number>(visits.visit_id.length).fill(0)
  const placeOfHit = new Map<string, number>()
  hits.visit_id.forEach((id, h) => {
    const v = placeOfVisit.get(id)
    if (v === undefined) throw new Error('the hits of a day do not fit its visits')
    hitsOfVisit[v]!++
    if (hits.revenue[h] !== 0) sells[v] = 1
    if (props.seq.length > 0) placeOfHit.set(`${id} ${hits.seq[h]}`, h)
  })
  const { order, propsOfHit } = ordered(props, hits, placeOfHit)
  const ofProps = (numbers: readonly number[]): number[] => order.map(place => numbers[place]!)
  const nums = ofProps(props.num)
  const bits = nums.map(num => (codeOf(num) === FLOAT ? bitsOf(num) : [0, 0]))
  const placesOf = (ids: readonly number[]): number[] => ids.map(id => (placeOfVisit.get(id) ?? -1) + 1)
  const others = (ids: readonly number[]): number[] => ids.map(id => (placeOfVisit.has(id) ? 0 : id))
  const byPlace = (rows: Rows<'visit_id'>): number[] => {
    const places = placesOf(rows.visit_id)
    return Array.from(places, (_, i) => i).sort((a, b) => places[a]! - places[b]! || a - b)
  }
  const [orderOfVitals, orderOfClicks] = [byPlace(vitals), byPlace(clicks)]
  const ofVitals = (numbers: readonly number[]): number[] => orderOfVitals.map(place => numbers[place]!)
  const ofClicks = (numbers: readonly number[]): number[] => orderOfClicks.map(place => numbers[place]!)
  return {
    hits_of_visit: hitsOfVisit,
    visitor: visits.visit_id.map(id => Math.floor(id / VISITS_A_VISITOR)),
    number: visits.visit_id.map(id => id % VISITS_A_VISITOR),
    started_at: visits.started_at,
    duration: visits.duration,
    pageviews: visits.pageviews,
    events: visits.events,
    bounce: visits.bounce,
    revenue: visits.revenue,
    attends: visits.attended_at.map(at => (at === 0 ? 0 : 1)),
    attended_at: visits.attended_at,
    ...(Object.fromEntries(visitDimensions.map(name => [name, visits[name]])) as Pick<Columns, (typeof visitDimensions)[number]>), // one each
    sells,
    entry_after: visits.entry_after,
    exit_after: visits.exit_after,
    next_seq: visits.next_seq,
    person: visits.person,
    person_after: visits.person_after,
    at: hits.at,
    event: hits.event,
    page: hits.page,
    seq: hits.seq,
    interactive: hits.interactive,
    hit_revenue: hits.revenue,
    engaged_ms: hits.engaged_ms,
    scroll: hits.scroll,
    host: hits.host,
    props_of_hit: propsOfHit,
    key: ofProps(props.key),
    value: ofProps(props.value),
    num: nums.map(codeOf),
    float_low: bits.map(([low = 0]) => low),
    float_high: bits.map(([, high = 0]) => high),
    vital_place: ofVitals(placesOf(vitals.visit_id)),
    vital_other: ofVitals(others(vitals.visit_id)),
    vital_seq: ofVitals(vitals.seq),
    vital_metric: ofVitals(vitals.metric),
    vital_page: ofVitals(vitals.page),
    vital_device: ofVitals(vitals.device),
    vital_value: ofVitals(vitals.value),
    click_place: ofClicks(placesOf(clicks.visit_id)),
    click_other: ofClicks(others(clicks.visit_id)),
    click_seq: ofClicks(clicks.seq),
    click_page: ofClicks(clicks.page),
    selector: ofClicks(clicks.selector),
    x: ofClicks(clicks.x),
    y: ofClicks(clicks.y),
  }
}

/** Properties in the order of hits, and how many each hit has. @throws Error if one has no hit, or another event than its hit */
function ordered(props: DayRows['props'], hits: DayRows['hits'], placeOfHit: ReadonlyMap<string, number>) {
  const propsOfHit = new Array<number>(hits.seq.length).fill(0)
  const hitOf = props.seq.map((seq, p) => {
    const h = placeOfHit.get(`${props.visit_id[p]} ${seq}`)
    if (h === undefined || hits.event[h] !== props.event[p]) throw new Error('a property of a day does not fit its hits')
    propsOfHit[h]!++
    return h
  })
  const order = Array.from(hitOf, (_, p) => p).sort((a, b) => hitOf[a]! - hitOf[b]! || props.key[a]! - props.key[b]!)
  return { order, propsOfHit }
}

function codeOf(num: number): number {
  if (Number.isNaN(num)) return NO_NUMBER
  const whole = Math.round(num * 1_000)
  const isExact = Number.isSafeInteger(whole * 4) && whole / 1_000 === num && !Object.is(num, -0)
  return isExact ? FIRST_WHOLE + (whole < 0 ? -2 * whole - 1 : 2 * whole) : FLOAT
}
function bitsOf(num: number): [number, number] {
  const halves = new Uint32Array(Float64Array.of(num).buffer)
  return [halves[0]!, halves[1]!]
}
function numOf(code: number, low: number, high: number): number {
  if (code === NO_NUMBER) return Number.NaN
  if (code === FLOAT) return new Float64Array(Uint32Array.of(low, high).buffer)[0]!
  const zigzag = code - FIRST_WHOLE
  return (zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2) / 1_000
}

/** The ids of the visits of a block, in order. */
export function visitIdsOf(block: Block): number[] {
  const numbers = block.get('number')
  return Array.from(block.get('visitor'), (visitor, v) => visitor * VISITS_A_VISITOR + numbers[v]!)
}

/** The rows of a block. */
export function unpackRows(bytes: Uint8Array): DayRows {
  return rowsIn(openBlock(bytes))
}

export function rowsIn(block: Block): DayRows {
  const { known } = block
  const list = (name: keyof Columns): number[] => Array.from(block.get(name))
  const visitIds = visitIdsOf(block)
  const [ofHits, ofProps] = [known.visitOfHit, known.hitOfProp]
  const [seqs, events] = [block.get('seq'), block.get('event')]
  const measured = (place: keyof Columns, other: keyof Columns): number[] => {
    const others = block.get(other)
    return Array.from(block.get(place), (at, i) => (at === 0 ? others[i]! : visitIds[at - 1]!))
  }
  const [lows, highs] = [block.get('float_low'), block.get('float_high')]
  return {
    visits: rowsOf(visitFields, name => (name === 'visit_id' ? visitIds : list(name))),
    hits: {
      visit_id: Array.from(ofHits, v => visitIds[v]!),
      seq: list('seq'),
      at: list('at'),
      page: list('page'),
      event: list('event'),
      interactive: list('interactive'),
      revenue: list('hit_revenue'),
      engaged_ms: list('engaged_ms'),
      scroll: list('scroll'),
      host: list('host'),
    },
    props: {
      visit_id: Array.from(ofProps, h => visitIds[ofHits[h]!]!),
      seq: Array.from(ofProps, h => seqs[h]!),
      event: Array.from(ofProps, h => events[h]!),
      key: list('key'),
      value: list('value'),
      num: Array.from(block.get('num'), (code, p) => numOf(code, lows[p]!, highs[p]!)),
    },
    vitals: {
      page: list('vital_page'),
      metric: list('vital_metric'),
      device: list('vital_device'),
      visit_id: measured('vital_place', 'vital_other'),
      seq: list('vital_seq'),
      value: list('vital_value'),
    },
    clicks: {
      page: list('click_page'),
      selector: list('selector'),
      visit_id: measured('click_place', 'click_other'),
      seq: list('click_seq'),
      x: list('x'),
      y: list('y'),
    },
  }
}

/** The rows of all blocks of a day. */
export function joinedRows(parts: readonly DayRows[]): DayRows {
  const [first, ...others] = parts
  if (first && others.length === 0) return first
  const all = <Table extends keyof DayRows>(table: Table): DayRows[Table] => {
    const names = Object.keys(parts[0]?.[table] ?? {}) as (keyof DayRows[Table] & string)[] // its own keys
    return rowsOf(names, name => parts.flatMap(part => part[table][name] as readonly number[])) as unknown as DayRows[Table] // each name once
  }
  return { visits: all('visits'), hits: all('hits'), props: all('props'), vitals: all('vitals'), clicks: all('clicks') }
}
