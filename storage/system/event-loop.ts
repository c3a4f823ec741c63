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

/** A turn that was shorter had hardly anything else to do, ms. */
const quiet = 0.3
/** A request has short turns as well: it is over when so many in a row were quiet. */
const quietTurns = 5
/** Turns that are left to others at once. */
const mostTurns = 40

/**
 * Asked between pieces of work that can wait, such as an export: goes on once the others have nothing to do. A request takes
 * several turns, so with one turn between two pieces it would wait for as many pieces.
 */
export async function giveWay(): Promise<void> {
  if (!isTurnOver()) return
  for (let [turns, before] = [0, 0]; turns < mostTurns && before < quietTurns; turns++) {
    const from = performance.now()
    await nextTurn()
    before = performance.now() - from < quiet ? before + 1 : 0
  }
}

/** Resolves when everything has run that promises resolved so far lead to without waiting. */
export const settled = (): Promise<void> => new Promise(resolve => process.nextTick(resolve))
