/** The visits of a day that have money, found once while the day is in memory: they are few, and finding them reads two columns. */
import type { Day } from '../days/day.ts'

export function payingVisits(): (day: Day) => Uint32Array {
  const known = new WeakMap<Day, Uint32Array>()
  return day => {
    const before = known.get(day)
    if (before) return before
    const { count, revenue, purchases } = day.visits
    const found: number[] = []
    for (let v = 0; v < count; v++) if (revenue[v] !== 0 || purchases[v] !== 0) found.push(v)
    const visits = Uint32Array.from(found)
    known.set(day, visits)
    return visits
  }
}
