/** When the first visit of each person began, as far as visits are stored. (Every `!` is inside bounds.) */
import type { Day, DayColumns } from '../days/day.ts'
import { columnsRead } from '../days/reads.ts'
import type { Source } from '../days/source.ts'

/** Read of every day. */
export const firstVisitRead = columnsRead('visits.person', 'visits.firstHit', 'hits.at')

export interface FirstVisits {
  /** Epoch ms; undefined or 0 for an unknown person. */
  startOf(person: number): number | undefined
}

/** No day is later. */
const LAST_DAY = 100_000

/** @param isGroup numbers of persons of a group are far apart */
export async function firstVisitsIn(source: Source, isGroup: boolean, pause: () => void): Promise<FirstVisits> {
  const starts = isGroup ? new StartsByNumber() : new Starts()
  const request = { of: () => firstVisitRead, together: () => false }
  for await (const days of await source.days(0, LAST_DAY, request)) {
    for (const day of days) {
      pause()
      add(starts, day)
    }
  }
  return starts
}

function add(starts: Starts | StartsByNumber, day: Day): void {
  const { count, person } = day.visits
  const start = startIn(day)
  for (let v = 0; v < count; v++) if (person[v] !== 0) starts.add(person[v]!, start(v))
}

/** When a visit of the day began, epoch ms. Of a part of a stored day: its first hit in that part; 0 if it has none there. */
export function startIn({ startsAt, cut, visits: { firstHit }, hits: { at } }: DayColumns): (visit: number) => number {
  if (!cut) return v => startsAt + (at[firstHit[v]!] ?? 0)
  return v => {
    for (let h = firstHit[v]!; h < firstHit[v + 1]!; h++) {
      const time = startsAt + at[h]!
      if (time >= cut.from) return time < cut.to ? time : 0
    }
    return 0
  }
}

class Starts implements FirstVisits {
  #starts = new Float64Array(1024)

  add(person: number, at: number): void {
    if (at === 0) return
    if (person >= this.#starts.length) {
      const longer = new Float64Array(2 * person)
      longer.set(this.#starts)
      this.#starts = longer
    }
    const known = this.#starts[person]!
    if (known === 0 || at < known) this.#starts[person] = at
  }

  startOf(person: number): number | undefined {
    return this.#starts[person]
  }
}

class StartsByNumber implements FirstVisits {
  readonly #starts = new Map<number, number>()

  add(person: number, at: number): void {
    if (at !== 0 && at < (this.#starts.get(person) ?? Infinity)) this.#starts.set(person, at)
  }

  startOf(person: number): number | undefined {
    return this.#starts.get(person)
  }
}
