/**
 * Long work lets the rest of the process go on: it asks now and then whether its turn of the event loop has lasted long
 * enough, and continues in the next one. There is one event loop, so there is one clock.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Ms. What runs between two questions comes on top. */
const longestTurn = 10

let began: number | undefined

/** Whether this turn has lasted long enough since it was first asked this. */
export function isTurnOver(): boolean {
  if (began !== undefined) return performance.now() - began > longestTurn
  began = performance.now()
  setImmediate(() => {
    began = undefined
  })
  return false
}

/** Asked between pieces of long work: goes on at once, or in the next turn. */
export async function yieldWhereDue(): Promise<void> {
  if (isTurnOver()) await nextTurn()
}

/** Resolves when everything has run that promises resolved so far lead to without waiting. */
export const settled = (): Promise<void> => new Promise(resolve => process.nextTick(resolve))
