/**
 * The columns of a block, and what each number is expected to be from those known before it: a visit's exit page is its entry
 * page, the last hit of a visit comes at its end. Only the difference is stored, so it is exact whatever comes. One function
 * says it for both directions, so packing and unpacking cannot differ.
 */
import { type VisitDimension, visitDimensions } from '../tables/index.ts'
import type { FieldName, TableOfField } from './field-numbers.ts'
import { latest } from './latest.ts'
import type { Known } from './known.ts'

/** The expected next number, and the stream of its difference. Set for one number after another. */
export interface Guess {
  /** Streams are encoded separately. `DERIVED`: it is as expected, and nothing is stored. */
  stream: number
  value: number
}
export const DERIVED = -1

/** @param numbers those before `i` @param guess to set */
type Step = (i: number, numbers: ArrayLike<number>, guess: Guess) => void

export interface Field {
  readonly of: TableOfField
  /**
   * The stored number: the number itself; its difference from the expected one; or 0 for the expected one, and else one more than the
   * number. 'either': the number, or by one of the fields that may determine it, whichever is shorter.
   */
  readonly how: 'plain' | 'difference' | 'expected' | 'either'
  readonly step?: (known: Known) => Step
  /** For 'either'. */
  readonly by?: readonly FieldName[]
}

const plain = (of: TableOfField): Field => ({ of, how: 'plain' })
const difference = (of: TableOfField, step: Field['step']): Field => ({ of, how: 'difference', ...(step && { step }) })
const expected = (of: TableOfField, step: Field['step']): Field => ({ of, how: 'expected', ...(step && { step }) })

/** Makes a step with one stream. */
const alone =
  (of: (known: Known) => (i: number, numbers: ArrayLike<number>) => number): ((known: Known) => Step) =>
  known => {
    const valueOf = of(known)
    return (i, numbers, guess) => {
      guess.stream = 0
      guess.value = valueOf(i, numbers)
    }
  }

/** Expects the number that came last with the same number of another field. */
const lastWith = (name: FieldName): ((known: Known) => Step) =>
  alone(known => {
    const [keys, last] = [known.get(name), latest()]
    return (i, numbers) => {
      if (i > 0) last.set(keys[i - 1]!, numbers[i - 1]!)
      return last.get(keys[i]!)
    }
  })

/** Fields that may determine a dimension. */
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
}
const dimensions = Object.fromEntries(
  visitDimensions
    .filter(name => name !== 'exit_page')
    .map((name): [string, Field] => [name, { of: 'visits', how: 'either', by: determined[name] ?? [] }]),
) as Record<Exclude<VisitDimension, 'exit_page'>, Field> // one each

/** A step of rows that are measured in a visit: whether a row follows one of the same visit. */
const follows = (places: ArrayLike<number>, i: number): boolean => i > 0 && places[i] === places[i - 1]

/** The visit of a vital or click by its place, from 1; 0 if it is not among the visits, whose id is `other`. */
const placeOf = (of: TableOfField): Field =>
  difference(
    of,
    alone(() => (i, places) => (i === 0 ? 0 : places[i - 1]!)),
  )
const otherOf = (of: TableOfField, place: FieldName): Field => ({
  of,
  how: 'plain',
  step: known => {
    const places = known.get(place)
    return (i, _, guess) => {
      guess.stream = places[i] === 0 ? 0 : DERIVED
      guess.value = 0
    }
  },
})

/** Places of properties within a hit that are distinguished. */
const PROPS_OF_HIT = 64

export const fields: Readonly<Record<FieldName, Field>> = {
  // Visits, by id.
  hits_of_visit: difference(
    'visits',
    alone(known => {
      const [pageviews, events] = [known.get('pageviews'), known.get('events')]
      return i => pageviews[i]! + events[i]!
    }),
  ),
  visitor: difference(
    'visits',
    alone(() => (i, visitors) => (i === 0 ? 1 : visitors[i - 1]! + 1)),
  ),
  number: difference(
    'visits',
    alone(known => {
      const visitors = known.get('visitor')
      return (i, numbers) => (follows(visitors, i) ? numbers[i - 1]! + 1 : 1)
    }),
  ),
  started_at: difference(
    'visits',
    alone(() => (i, starts) => (i === 0 ? 0 : starts[i - 1]!)),
  ),
  duration: plain('visits'),
  pageviews: plain('visits'),
  events: plain('visits'),
  bounce: expected(
    'visits',
    alone(known => {
      const [pageviews, events] = [known.get('pageviews'), known.get('events')]
      return i => (pageviews[i]! < 2 && events[i]! === 0 ? 1 : 0)
    }),
  ),
  revenue: plain('visits'),
  /** 1 if `attended_at` is not 0. */
  attends: plain('visits'),
  attended_at: difference('visits', known => {
    const [attends, starts, durations] = [known.get('attends'), known.get('started_at'), known.get('duration')]
    return (i, _, guess) => {
      guess.stream = attends[i] === 0 ? DERIVED : 0
      guess.value = attends[i] === 0 ? 0 : starts[i]! + durations[i]!
    }
  }),
  ...dimensions,
  exit_page: expected('visits', known => {
    const [pageviews, entries] = [known.get('pageviews'), known.get('entry_page')]
    return (i, _, guess) => {
      guess.stream = pageviews[i]! > 1 ? 1 : 0
      guess.value = entries[i]!
    }
  }),
  /** 1 if one of its hits has revenue. */
  sells: expected(
    'visits',
    alone(known => {
      const revenue = known.get('revenue')
      return i => (revenue[i] === 0 ? 0 : 1)
    }),
  ),
  entry_after: difference(
    'visits',
    alone(known => known.firstViews()),
  ),
  exit_after: difference(
    'visits',
    alone(known => known.lastViews()),
  ),
  next_seq: difference(
    'visits',
    alone(known => known.nextSeqs()),
  ),
  person: plain('visits'),
  person_after: plain('visits'),

  // Hits, by visit, time and seq.
  at: difference('hits', known => {
    const { firstHit, visitOfHit } = known
    const [starts, durations] = [known.get('started_at'), known.get('duration')]
    return (h, times, guess) => {
      const v = visitOfHit[h]!
      const isFirst = h === firstHit[v]
      const isLast = h + 1 === firstHit[v + 1]
      guess.stream = isFirst ? 0 : isLast ? 1 : 2
      guess.value = isFirst ? starts[v]! : isLast ? starts[v]! + durations[v]! : times[h - 1]!
    }
  }),
  event: expected('hits', known => {
    const { visitOfHit } = known
    const events = known.get('events')
    return (h, _, guess) => {
      guess.stream = events[visitOfHit[h]!] === 0 ? 0 : 1
      guess.value = 0
    }
  }),
  page: expected('hits', known => {
    const { firstHit, visitOfHit } = known
    const [events, entries, exits, pageviews] = [
      known.get('event'),
      known.get('entry_page'),
      known.get('exit_page'),
      known.get('pageviews'),
    ]
    let views = 0
    return (h, pages, guess) => {
      const v = visitOfHit[h]!
      const isFirst = h === firstHit[v]
      if (isFirst) views = 0
      if (events[h] !== 0) {
        guess.stream = 3
        guess.value = isFirst ? entries[v]! : pages[h - 1]!
        return
      }
      views++
      guess.stream = views === 1 ? 0 : views === pageviews[v] ? 1 : 2
      guess.value = views === 1 ? entries[v]! : views === pageviews[v] ? exits[v]! : 0
    }
  }),
  seq: difference(
    'hits',
    alone(known => {
      const { firstHit, visitOfHit } = known
      const freeFrom = known.freeSeqs()
      return (h, seqs) => {
        const v = visitOfHit[h]!
        return freeFrom(v, h === firstHit[v] ? 0 : seqs[h - 1]! + 1)
      }
    }),
  ),
  interactive: expected('hits', lastWith('event')),
  hit_revenue: {
    of: 'hits',
    how: 'plain',
    step: known => {
      const { visitOfHit } = known
      const sells = known.get('sells')
      return (h, _, guess) => {
        guess.stream = sells[visitOfHit[h]!] === 0 ? DERIVED : 0
        guess.value = 0
      }
    },
  },
  engaged_ms: {
    of: 'hits',
    how: 'plain',
    step: known => {
      const events = known.get('event')
      return (h, _, guess) => {
        guess.stream = events[h] === 0 ? 0 : 1
      }
    },
  },
  scroll: {
    of: 'hits',
    how: 'plain',
    step: known => {
      const engaged = known.get('engaged_ms')
      return (h, _, guess) => {
        guess.stream = engaged[h] === 0 ? 0 : 1
      }
    },
  },
  props_of_hit: expected('hits', lastWith('event')),

  // Properties, by hit and key.
  key: expected(
    'props',
    alone(known => {
      const { hitOfProp } = known
      const events = known.get('event')
      const last = latest()
      let place = 0
      let spot = 0
      return (p, keys) => {
        if (p > 0) last.set(spot, keys[p - 1]!)
        place = p > 0 && hitOfProp[p] === hitOfProp[p - 1] ? place + 1 : 0
        spot = events[hitOfProp[p]!]! * PROPS_OF_HIT + Math.min(place, PROPS_OF_HIT - 1)
        return last.get(spot)
      }
    }),
  ),
  value: {
    of: 'props',
    how: 'plain',
    step: known => {
      const keys = known.get('key')
      return (p, _, guess) => {
        guess.stream = keys[p]! // each key has texts of its own
      }
    },
  },
  /** How `num` is stored: `numberCodes`. */
  num: expected(
    'props',
    alone(known => {
      const [keys, values, last] = [known.get('key'), known.get('value'), latest()]
      const keyOf = (p: number): number => keys[p]! * 2 ** 24 + values[p]!
      return (p, nums) => {
        if (p > 0) last.set(keyOf(p - 1), nums[p - 1]!)
        return last.get(keyOf(p))
      }
    }),
  ),
  /** The bits of numbers that have no code, the lower half and the upper half of each in turn. */
  float_low: halfOf(),
  float_high: halfOf(),

  // Vitals, by visit, seq and metric.
  vital_place: placeOf('vitals'),
  vital_other: otherOf('vitals', 'vital_place'),
  vital_seq: difference('vitals', known => {
    const places = known.get('vital_place')
    return (i, seqs, guess) => {
      guess.stream = follows(places, i) ? 1 : 0
      guess.value = follows(places, i) ? seqs[i - 1]! : 0
    }
  }),
  vital_metric: difference(
    'vitals',
    alone(known => {
      const [places, seqs] = [known.get('vital_place'), known.get('vital_seq')]
      return (i, metrics) => (follows(places, i) && follows(seqs, i) ? metrics[i - 1]! + 1 : 0)
    }),
  ),
  vital_page: expected(
    'vitals',
    alone(known => {
      const [places, seqs, pageBefore] = [known.get('vital_place'), known.get('vital_seq'), known.pagesBefore()]
      return (i, pages) => (follows(places, i) && follows(seqs, i) ? pages[i - 1]! : pageBefore(places[i]! - 1, seqs[i]!))
    }),
  ),
  vital_device: expected(
    'vitals',
    alone(known => {
      const [places, devices] = [known.get('vital_place'), known.get('device')]
      return (i, before) => (places[i] === 0 ? (i === 0 ? 0 : before[i - 1]!) : devices[places[i]! - 1]!)
    }),
  ),
  vital_value: {
    of: 'vitals',
    how: 'plain',
    step: known => {
      const metrics = known.get('vital_metric')
      return (i, _, guess) => {
        guess.stream = metrics[i]!
      }
    },
  },

  // Clicks, by visit and seq.
  click_place: placeOf('clicks'),
  click_other: otherOf('clicks', 'click_place'),
  click_seq: difference('clicks', known => {
    const places = known.get('click_place')
    return (i, seqs, guess) => {
      guess.stream = follows(places, i) ? 1 : 0
      guess.value = follows(places, i) ? seqs[i - 1]! + 1 : 0
    }
  }),
  click_page: expected(
    'clicks',
    alone(known => {
      const [places, seqs, pageBefore] = [known.get('click_place'), known.get('click_seq'), known.pagesBefore()]
      return (i, pages) => (follows(places, i) && seqs[i] === seqs[i - 1]! + 1 ? pages[i - 1]! : pageBefore(places[i]! - 1, seqs[i]!))
    }),
  ),
  selector: plain('clicks'),
  x: plain('clicks'),
  y: plain('clicks'),
}

function halfOf(): Field {
  return {
    of: 'props',
    how: 'plain',
    step: known => {
      const nums = known.get('num')
      return (p, _, guess) => {
        guess.stream = nums[p] === FLOAT ? 0 : DERIVED
        guess.value = 0
      }
    },
  }
}

/** Codes of a property's number: none, in thousandths from `FIRST_WHOLE` on, or its bits. */
export const NO_NUMBER = 0
export const FLOAT = 1
export const FIRST_WHOLE = 2
