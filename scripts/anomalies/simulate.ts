/** Runs the anomaly alert on simulated traffic: its rate of false alarms, and of detected changes. */
import { limits, score } from '../../operations/watch/alerts/anomaly.ts'
import { type Finding, stateAfter } from '../../operations/watch/alerts/state.ts'
import type { AlertRow } from '../../storage/tables/index.ts'
import { type Chance, chanceFrom, draw, type Kind, poisson, SLOTS_A_WEEK, SLOTS_A_WINDOW, type Traffic } from './traffic.ts'

export const sensitivities = ['high', 'medium', 'low'] as const satisfies AlertRow['sensitivity'][]
export type BySensitivity = Readonly<Record<(typeof sensitivities)[number], number>>

const WEEKS_BEFORE = 8
/** The samples of docs/decisions.md §4, by offset of their last slot. */
const OFFSETS = Array.from({ length: WEEKS_BEFORE }, (_, week) =>
  [-1, 0, 1].map(by => by * SLOTS_A_WINDOW - (week + 1) * SLOTS_A_WEEK),
).flat()

/** The count of the window that ends with this slot. */
function windowAt(counts: Float64Array, slot: number): number {
  let sum = 0
  for (let i = slot - SLOTS_A_WINDOW + 1; i <= slot; i++) sum += counts[i] ?? 0
  return sum
}

function scoreAt({ counts }: Traffic, slot: number, count: number): number {
  return (
    score(
      { count },
      OFFSETS.map(offset => ({ count: windowAt(counts, slot + offset) })),
    )?.z ?? 0
  )
}

/** Processes evaluations one by one; returns whether the alert opens at each. */
function opening(sensitivity: keyof BySensitivity): (z: number) => boolean {
  let state: Pick<AlertRow, 'state' | 'streak'> = { state: 'ok', streak: 0 }
  return z => {
    const finding: Finding = Math.abs(z) > limits[sensitivity] ? 'breach' : 'clear'
    const { change, ...after } = stateAfter('anomaly', state, finding)
    state = after
    return change === 'opens'
  }
}

/** Incidents a week without real changes. */
export function falseAlarms(kind: Kind, level: number, { weeks, seed }: { weeks: number; seed: number }): BySensitivity {
  const traffic = draw(kind, { level, weeks: WEEKS_BEFORE + 1 + weeks, chance: chanceFrom(seed) })
  const opens = { high: opening('high'), medium: opening('medium'), low: opening('low') }
  const count = { high: 0, medium: 0, low: 0 }
  const from = (WEEKS_BEFORE + 1) * SLOTS_A_WEEK
  for (let slot = from; slot < traffic.counts.length; slot++) {
    const z = scoreAt(traffic, slot, windowAt(traffic.counts, slot))
    for (const name of sensitivities) if (opens[name](z)) count[name]++
  }
  return { high: count.high / weeks, medium: count.medium / weeks, low: count.low / weeks }
}

const CHANGE_HOURS = 3

interface Detected {
  readonly kind: Kind
  readonly level: number
  readonly factor: number
  readonly trials: number
  readonly seed: number
}

/** The share of changes by a factor (three hours, at any time of the week) that open an incident before they end. */
export function detected({ kind, level, factor, trials, seed }: Detected): BySensitivity {
  const chance = chanceFrom(seed)
  const traffic = draw(kind, { level, weeks: WEEKS_BEFORE + 5, chance })
  const found = { high: 0, medium: 0, low: 0 }
  const length = CHANGE_HOURS * SLOTS_A_WINDOW
  const from = (WEEKS_BEFORE + 1) * SLOTS_A_WEEK
  for (let trial = 0; trial < trials; trial++) {
    const begins = from + Math.floor(chance() * (traffic.counts.length - from - length))
    const counts = traffic.counts.slice()
    for (let slot = begins; slot < begins + length; slot++) counts[slot] = changed(traffic, { slot, factor, chance })
    const scores = Array.from({ length }, (_, i) => scoreAt(traffic, begins + i, windowAt(counts, begins + i)))
    for (const name of sensitivities) {
      const opens = opening(name)
      if (scores.some(opens)) found[name]++
    }
  }
  return { high: found.high / trials, medium: found.medium / trials, low: found.low / trials }
}

/** Draws a count again with another mean; Poisson counts are independent. */
const changed = ({ means }: Traffic, { slot, factor, chance }: { slot: number; factor: number; chance: Chance }): number =>
  poisson((means[slot] ?? 0) * factor, chance)
