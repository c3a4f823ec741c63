/**
 * The columns of a block, and what each number is expected to be from those known before it: a visit's exit page is its entry
 * page, the last hit of a visit comes at its end. Only the difference is stored, so it is exact whatever comes (`walk.ts`).
 */
import { type VisitDimension, visitDimensions } from '../tables/index.ts'
import type { FieldName, TableOfField } from './field-numbers.ts'
import { Latest } from './latest.ts'
import type { How, Walk } from './walk.ts'

export interface Field {
  readonly of: TableOfField
  /** 'either': the number itself, or by one of the fields that may determine it, whichever is shorter. */
  readonly how: How | 'either'
  /** Undefined: the numbers themselves. */
  readonly walk?: Walk
  /** For 'either'. */
  readonly by?: readonly FieldName[]
  /** For 'either': packed as the number itself. Blocks of earlier versions may have it by another field. */
  readonly isAlone?: boolean
}

const plain = (of: TableOfField): Field => ({ of, how: 'plain' })
const difference = (of: TableOfField, walk: Walk): Field => ({ of, how: 'difference', walk })
const expected = (of: TableOfField, walk: Walk): Field => ({ of, how: 'expected', walk })

/** Expects the number that came last with the same number of another field. */
const lastWith =
  (name: FieldName): Walk =>
  (known, io, numbers) => {
    const [keys, last] = [known.get(name), new Latest()]
    for (let i = 0; i < numbers.length; i++) {
      const key = keys[i]!
      const n = (numbers[i] = io.next(last.get(key), 0, i))
      last.set(key, n)
    }
  }

/** Fields that may determine a dimension. Their places are stored: add to the end. */
const determined: Readonly<Partial<Record<VisitDimension, readonly VisitDimension[]>>> = {
  region: ['city'],
  country: ['region', 'language'],
  source: ['referrer'],
  channel: ['source'],
  custom_channel: ['channel'],
  utm_source: ['utm_campaign', 'source'],
  utm_medium: ['utm_campaign'],
  utm_content: ['utm_campaign'],
  utm_term: ['utm_campaign'],
  browser_version: ['browser'],
  os_version: ['os'],
  network_kind: ['network'],
}
/** Most filters ask for these, which are read without any other: they are no longer packed by what determines them. */
const aloneNow: ReadonlySet<VisitDimension> = new Set(['country', 'channel'])
const dimensions = Object.fromEntries(
  visitDimensions
    .filter(name => name !== 'exit_page')
    .map((name): [string, Field] => [name, { of: 'visits', how: 'either', by: determined[name] ?? [], isAlone: aloneNow.has(name) }]),
) as Record<Exclude<VisitDimension, 'exit_page'>, Field> // one each

/** The numbers of a row that is measured in a visit: whether a row follows one of the same visit. */
const follows = (places: ArrayLike<number>, i: number): boolean => i > 0 && places[i] === places[i - 1]

/** The visit of a vital or click by its place, from 1; 0 if it is not among the visits, whose id is `other`. */
const placeOf = (of: TableOfField): Field =>
  difference(of, (_, io, places) => {
    for (let i = 0, before = 0; i < places.length; i++) before = places[i] = io.next(before, 0, i)
  })
const otherOf = (of: TableOfField, place: FieldName): Field => ({
  of,
  how: 'plain',
  walk(known, io, others) {
    const places = known.get(place)
    for (let i = 0; i < others.length; i++) others[i] = places[i] === 0 ? io.next(0, 0, i) : io.derived(0, i)
  },
})

/** Places of properties within a hit that are distinguished. */
const PROPS_OF_HIT = 64

export const fields: Readonly<Record<FieldName, Field>> = {
  // Visits, by id.
  hits_of_visit: difference('visits', (known, io, counts) => {
    const [pageviews, events] = [known.get('pageviews'), known.get('events')]
    for (let v = 0; v < counts.length; v++) counts[v] = io.next(pageviews[v]! + events[v]!, 0, v)
  }),
  visitor: difference('visits', (_, io, visitors) => {
    for (let v = 0, before = 0; v < visitors.length; v++) before = visitors[v] = io.next(before + 1, 0, v)
  }),
  number: difference('visits', (known, io, numbers) => {
    const visitors = known.get('visitor')
    for (let v = 0, before = 0; v < numbers.length; v++) before = numbers[v] = io.next(follows(visitors, v) ? before + 1 : 1, 0, v)
  }),
  started_at: difference('visits', (_, io, starts) => {
    for (let v = 0, before = 0; v < starts.length; v++) before = starts[v] = io.next(before, 0, v)
  }),
  duration: plain('visits'),
  pageviews: plain('visits'),
  events: plain('visits'),
  bounce: expected('visits', (known, io, bounces) => {
    const [pageviews, events] = [known.get('pageviews'), known.get('events')]
    for (let v = 0; v < bounces.length; v++) bounces[v] = io.next(pageviews[v]! < 2 && events[v]! === 0 ? 1 : 0, 0, v)
  }),
  revenue: plain('visits'),
  /** 1 if `attended_at` is not 0. */
  attends: plain('visits'),
  attended_at: difference('visits', (known, io, times) => {
    const [attends, starts, durations] = [known.get('attends'), known.get('started_at'), known.get('duration')]
    for (let v = 0; v < times.length; v++) times[v] = attends[v] === 0 ? io.derived(0, v) : io.next(starts[v]! + durations[v]!, 0, v)
  }),
  ...dimensions,
  exit_page: expected('visits', (known, io, pages) => {
    const [pageviews, entries] = [known.get('pageviews'), known.get('entry_page')]
    for (let v = 0; v < pages.length; v++) pages[v] = io.next(entries[v]!, pageviews[v]! > 1 ? 1 : 0, v)
  }),
  /** 1 if one of its hits has revenue. */
  sells: expected('visits', (known, io, all) => {
    const revenue = known.get('revenue')
    for (let v = 0; v < all.length; v++) all[v] = io.next(revenue[v] === 0 ? 0 : 1, 0, v)
  }),
  entry_after: difference('visits', (known, io, times) => {
    const firstView = known.firstViews()
    for (let v = 0; v < times.length; v++) times[v] = io.next(firstView(v), 0, v)
  }),
  exit_after: difference('visits', (known, io, times) => {
    const lastView = known.lastViews()
    for (let v = 0; v < times.length; v++) times[v] = io.next(lastView(v), 0, v)
  }),
  next_seq: difference('visits', (known, io, seqs) => {
    const nextSeq = known.nextSeqs()
    for (let v = 0; v < seqs.length; v++) seqs[v] = io.next(nextSeq(v), 0, v)
  }),
  person: plain('visits'),
  person_after: plain('visits'),

  // Hits, by visit, time and seq.
  at: difference('hits', (known, io, times) => {
    const { firstHit } = known
    const [starts, durations] = [known.get('started_at'), known.get('duration')]
    for (let v = 0; v < starts.length; v++) {
      const [from, last] = [firstHit[v]!, firstHit[v + 1]! - 1]
      const start = starts[v]!
      for (let h = from, before = 0; h <= last; h++) {
        before = times[h] = h === from ? io.next(start, 0, h) : h === last ? io.next(start + durations[v]!, 1, h) : io.next(before, 2, h)
      }
    }
  }),
  event: expected('hits', (known, io, events) => {
    const { firstHit } = known
    const counts = known.get('events')
    for (let v = 0; v < counts.length; v++) {
      const stream = counts[v] === 0 ? 0 : 1
      for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) events[h] = io.next(0, stream, h)
    }
  }),
  page: expected('hits', (known, io, pages) => {
    const { firstHit } = known
    const [events, entries, exits, pageviews] = [
      known.get('event'),
      known.get('entry_page'),
      known.get('exit_page'),
      known.get('pageviews'),
    ]
    for (let v = 0; v < pageviews.length; v++) {
      const [entry, exit, count] = [entries[v]!, exits[v]!, pageviews[v]!]
      let [views, before] = [0, entry]
      for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
        if (events[h] !== 0) before = pages[h] = io.next(before, 3, h)
        else {
          views++
          before = pages[h] = views === 1 ? io.next(entry, 0, h) : views === count ? io.next(exit, 1, h) : io.next(0, 2, h)
        }
      }
    }
  }),
  seq: difference('hits', (known, io, seqs) => {
    const { firstHit } = known
    const freeFrom = known.freeSeqs()
    for (let v = 0; v + 1 < firstHit.length; v++) {
      for (let h = firstHit[v]!, end = firstHit[v + 1]!, next = 0; h < end; h++) next = 1 + (seqs[h] = io.next(freeFrom(v, next), 0, h))
    }
  }),
  interactive: expected('hits', lastWith('event')),
  hit_revenue: {
    of: 'hits',
    how: 'plain',
    walk(known, io, amounts) {
      const { firstHit } = known
      const sells = known.get('sells')
      for (let v = 0; v < sells.length; v++) {
        const isSelling = sells[v] !== 0
        for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) amounts[h] = isSelling ? io.next(0, 0, h) : io.derived(0, h)
      }
    },
  },
  engaged_ms: {
    of: 'hits',
    how: 'plain',
    walk(known, io, times) {
      const events = known.get('event')
      for (let h = 0; h < times.length; h++) times[h] = io.next(0, events[h] === 0 ? 0 : 1, h)
    },
  },
  scroll: {
    of: 'hits',
    how: 'plain',
    walk(known, io, all) {
      const engaged = known.get('engaged_ms')
      for (let h = 0; h < all.length; h++) all[h] = io.next(0, engaged[h] === 0 ? 0 : 1, h)
    },
  },
  props_of_hit: expected('hits', lastWith('event')),
  host: expected('hits', (known, io, hosts) => {
    const { firstHit } = known
    const ofVisits = known.get('hostname')
    for (let v = 0; v < ofVisits.length; v++) {
      let before = ofVisits[v]!
      for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) before = hosts[h] = io.next(before, 0, h)
    }
  }),

  // Properties, by hit and key.
  key: expected('props', (known, io, keys) => {
    const { hitOfProp } = known
    const events = known.get('event')
    const last = new Latest()
    for (let p = 0, place = 0; p < keys.length; p++) {
      place = p > 0 && hitOfProp[p] === hitOfProp[p - 1] ? place + 1 : 0
      const spot = events[hitOfProp[p]!]! * PROPS_OF_HIT + Math.min(place, PROPS_OF_HIT - 1)
      const key = (keys[p] = io.next(last.get(spot), 0, p))
      last.set(spot, key)
    }
  }),
  value: {
    of: 'props',
    how: 'plain',
    walk(known, io, values) {
      const keys = known.get('key')
      for (let p = 0; p < values.length; p++) values[p] = io.next(0, keys[p]!, p) // each key has texts of its own
    },
  },
  /** How `num` is stored: `numberCodes`. */
  num: expected('props', (known, io, nums) => {
    const [keys, values, last] = [known.get('key'), known.get('value'), new Latest()]
    for (let p = 0; p < nums.length; p++) {
      const key = keys[p]! * 2 ** 24 + values[p]!
      const num = (nums[p] = io.next(last.get(key), 0, p))
      last.set(key, num)
    }
  }),
  /** The bits of numbers that have no code, the lower half and the upper half of each in turn. */
  float_low: halfOf(),
  float_high: halfOf(),

  // Vitals, by visit, seq and metric.
  vital_place: placeOf('vitals'),
  vital_other: otherOf('vitals', 'vital_place'),
  vital_seq: difference('vitals', (known, io, seqs) => {
    const places = known.get('vital_place')
    for (let i = 0; i < seqs.length; i++) seqs[i] = follows(places, i) ? io.next(seqs[i - 1]!, 1, i) : io.next(0, 0, i)
  }),
  vital_metric: difference('vitals', (known, io, metrics) => {
    const [places, seqs] = [known.get('vital_place'), known.get('vital_seq')]
    for (let i = 0; i < metrics.length; i++) metrics[i] = io.next(follows(places, i) && follows(seqs, i) ? metrics[i - 1]! + 1 : 0, 0, i)
  }),
  vital_page: expected('vitals', (known, io, pages) => {
    const [places, seqs, pageBefore] = [known.get('vital_place'), known.get('vital_seq'), known.pagesBefore()]
    for (let i = 0; i < pages.length; i++) {
      const guess = follows(places, i) && follows(seqs, i) ? pages[i - 1]! : pageBefore(places[i]! - 1, seqs[i]!)
      pages[i] = io.next(guess, 0, i)
    }
  }),
  vital_device: expected('vitals', (known, io, all) => {
    const [places, devices] = [known.get('vital_place'), known.get('device')]
    for (let i = 0, before = 0; i < all.length; i++) {
      before = all[i] = io.next(places[i] === 0 ? before : devices[places[i]! - 1]!, 0, i)
    }
  }),
  vital_value: {
    of: 'vitals',
    how: 'plain',
    walk(known, io, values) {
      const metrics = known.get('vital_metric')
      for (let i = 0; i < values.length; i++) values[i] = io.next(0, metrics[i]!, i)
    },
  },

  // Clicks, by visit and seq.
  click_place: placeOf('clicks'),
  click_other: otherOf('clicks', 'click_place'),
  click_seq: difference('clicks', (known, io, seqs) => {
    const places = known.get('click_place')
    for (let i = 0; i < seqs.length; i++) seqs[i] = follows(places, i) ? io.next(seqs[i - 1]! + 1, 1, i) : io.next(0, 0, i)
  }),
  click_page: expected('clicks', (known, io, pages) => {
    const [places, seqs, pageBefore] = [known.get('click_place'), known.get('click_seq'), known.pagesBefore()]
    for (let i = 0; i < pages.length; i++) {
      const isNext = follows(places, i) && seqs[i] === seqs[i - 1]! + 1
      pages[i] = io.next(isNext ? pages[i - 1]! : pageBefore(places[i]! - 1, seqs[i]!), 0, i)
    }
  }),
  selector: plain('clicks'),
  x: plain('clicks'),
  y: plain('clicks'),
}

function halfOf(): Field {
  return {
    of: 'props',
    how: 'plain',
    walk(known, io, halves) {
      const nums = known.get('num')
      for (let p = 0; p < halves.length; p++) halves[p] = nums[p] === FLOAT ? io.next(0, 0, p) : io.derived(0, p)
    },
  }
}

/** Codes of a property's number: none, in thousandths from `FIRST_WHOLE` on, or its bits. */
export const NO_NUMBER = 0
export const FLOAT = 1
export const FIRST_WHOLE = 2
