import { yieldWhereDue } from '../../../storage/system/event-loop.ts'

/** Elements that are sorted or merged without a check of the turn. */
const RUN = 512

/** Sorts any number of elements as `toSorted` does, and lets the process continue in between. */
export async function sortedInTurns<T>(list: readonly T[], compare: (a: T, b: T) => number): Promise<readonly T[]> {
  let runs: (readonly T[])[] = []
  for (let i = 0; i < list.length; i += RUN) {
    await yieldWhereDue()
    runs.push(list.slice(i, i + RUN).sort(compare))
  }
  while (runs.length > 1) {
    const longer: (readonly T[])[] = []
    for (let i = 0; i < runs.length; i += 2) longer.push(await merged(runs[i] ?? [], runs[i + 1] ?? [], compare))
    runs = longer
  }
  return runs[0] ?? []
}

async function merged<T>(left: readonly T[], right: readonly T[], compare: (a: T, b: T) => number): Promise<readonly T[]> {
  const all: T[] = []
  let [i, k] = [0, 0]
  while (i < left.length && k < right.length) {
    if (all.length % RUN === 0) await yieldWhereDue()
    const [a, b] = [left[i] as T, right[k] as T] // both are within bounds
    if (compare(a, b) <= 0) {
      all.push(a)
      i++
    } else {
      all.push(b)
      k++
    }
  }
  return all.concat(left.slice(i), right.slice(k))
}
