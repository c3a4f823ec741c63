/** Formulates the result of an experiment in sentences. */
import type { Message } from '../../../runtime/texts/message.ts'
import { ALPHA, CONFIDENCE, MIN_EXPECTED, UNEVEN_BELOW } from './levels.ts'
import { m } from './messages.ts'
import type { Interval } from './significance.ts'

export interface Compared {
  /** Percent. */
  readonly rate: number
  readonly controlRate: number
  readonly control: string
  readonly uplift: number | null
  readonly upliftInterval: Interval | null
  readonly p: number
}

export const controlWords = (rate: number, visitors: number): Message => m.control({ rate, visitors })
export const resultWords = Object.freeze({
  better: (compared: Compared): Message => m.better(paramsOf(compared)),
  worse: (compared: Compared): Message => m.worse(paramsOf(compared)),
  undecided: (compared: Compared): Message => m.undecided(paramsOf(compared)),
  too_little_data: (): Message => m.too_little_data({ fewest: MIN_EXPECTED }),
})

const paramsOf = (compared: Compared) => ({ control: compared.control, rates: ratesOf(compared), chance: chanceOf(compared) })

function ratesOf({ rate, controlRate, uplift, upliftInterval }: Compared): Message {
  const rates = m.rates({ rate, control_rate: controlRate })
  if (uplift === null) return rates
  if (!upliftInterval) return m.rates_with_uplift({ rates, uplift: signed(uplift) })
  return m.rates_with_interval({
    rates,
    uplift: signed(uplift),
    confidence: CONFIDENCE,
    from: signed(upliftInterval.from),
    to: signed(upliftInterval.to),
  })
}

/** Smaller p-values are shown as "less than". */
const SMALLEST_P = 0.001

function chanceOf({ p }: Compared): Message {
  const shown = { p: p < SMALLEST_P ? m.less_than({ limit: SMALLEST_P }) : m.p({ p }) }
  return p < ALPHA ? m.rare(shown) : m.maybe_chance(shown)
}

export const splitWords = { even: m.split_evenly(), uneven: m.split_unevenly(), too_little_data: m.split_unknown() } as const

/** Largest number of variants in a warning. */
const MAX_NAMED = 5

/** @param visitors of each variant, by its value */
export function unevenSplit(visitors: readonly (readonly [value: string, visitors: number])[], p: number | null): Message {
  const named = visitors.slice(0, MAX_NAMED).map(([value, count]) => m.share({ variant: JSON.stringify(value.slice(0, 40)), count }))
  const shares = [...named, ...(visitors.length > MAX_NAMED ? ['…'] : [])]
  return m.uneven_split({ shares, limit: UNEVEN_BELOW, p: String(p) })
}

const signed = (percent: number): Message => (percent > 0 ? m.more_percent({ percent }) : m.percent({ percent }))
