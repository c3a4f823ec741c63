/** Simulated weekly traffic from a seed: counts in slots of a fifth of a window. */

/** Slots of 12 minutes: with windows of an hour, one evaluation each. */
export const SLOTS_A_WINDOW = 5
const SLOTS_A_DAY = 24 * SLOTS_A_WINDOW
export const SLOTS_A_WEEK = 7 * SLOTS_A_DAY

/** Uniform on [0, 1). */
export type Chance = () => number

/** Mulberry32: small, fast, and the same on every machine. */
export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A Poisson count: Knuth's product of uniforms, in parts that do not underflow. */
export function poisson(mean: number, chance: Chance): number {
  let count = 0
  for (let left = mean; left > 0; left -= 25) {
    const limit = Math.exp(-Math.min(left, 25))
    for (let product = chance(); product > limit; product *= chance()) count++
  }
  return count
}

/** A lognormal number of mean 1 whose logarithm has this standard deviation (Box, Muller 1958). */
function lognormal(deviation: number, chance: Chance): number {
  const normal = Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance())
  return Math.exp(deviation * normal - deviation ** 2 / 2)
}

export interface Kind {
  readonly name: string
  /** Standard deviations of random factors for whole days and for single hours. */
  readonly ofDays: number
  readonly ofHours: number
}
export const kinds: readonly Kind[] = [
  { name: 'Poisson', ofDays: 0, ofHours: 0 },
  { name: 'days ±10 %, hours ±10 %', ofDays: 0.1, ofHours: 0.1 },
  { name: 'days ±25 %, hours ±20 %', ofDays: 0.25, ofHours: 0.2 },
]

/** Relative traffic, mean 1 over the week: four times as much by day as by night, a third less at weekends. */
function shape(slot: number): number {
  const weekend = Math.floor(slot / SLOTS_A_DAY) % 7 >= 5
  const hour = (slot % SLOTS_A_DAY) / SLOTS_A_WINDOW
  return (1 - 0.6 * Math.cos((2 * Math.PI * (hour - 3)) / 24)) * (weekend ? 0.74 : 1.104)
}

export interface Traffic {
  /** The mean of each slot, and the count that was drawn. */
  readonly means: Float64Array
  readonly counts: Float64Array
}

/** @param level mean count of a window */
export function draw({ ofDays, ofHours }: Kind, { level, weeks, chance }: { level: number; weeks: number; chance: Chance }): Traffic {
  const means = new Float64Array(weeks * SLOTS_A_WEEK)
  let [day, hour] = [1, 1]
  for (let slot = 0; slot < means.length; slot++) {
    if (slot % SLOTS_A_DAY === 0) day = lognormal(ofDays, chance)
    if (slot % SLOTS_A_WINDOW === 0) hour = lognormal(ofHours, chance)
    means[slot] = (level / SLOTS_A_WINDOW) * shape(slot) * day * hour
  }
  return { means, counts: means.map(mean => poisson(mean, chance)) }
}
