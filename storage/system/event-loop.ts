/**
 * Lets the process continue during long work: the work checks now and then whether its turn of the event loop has lasted long
 * enough, and continues in the next turn. A process has one event loop, so it has one clock for this.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Awaitable } from '../values/awaitable.ts'

/** Longest turn, ms. The work between two checks is added to it. */
const maxTurnMs = 10

let began: number | undefined

/** Whether this turn has lasted long enough since its first check. @param ms shorter for long work: a request takes several turns */
export function isTurnOver(ms: number = maxTurnMs): boolean {
  if (began !== undefined) return performance.now() - began > ms
  began = performance.now()
  setImmediate(() => {
    began = undefined
  })
  return false
}

/** Continues at once, or in the next turn if this one is over. Call it between pieces of long work. */
export async function yieldWhereDue(): Promise<void> {
  if (isTurnOver()) await nextTurn()
}

/** Like `map`, for work that is mostly short: at once, or in several turns if it takes longer than one. */
export function eachInTurns<T, R>(items: readonly T[], run: (item: T, index: number) => R): Awaitable<R[]> {
  const results: R[] = []
  for (const item of items) {
    if (results.length > 0 && isTurnOver()) return restInTurns(items, run, results)
    results.push(run(item, results.length))
  }
  return results
}

async function restInTurns<T, R>(items: readonly T[], run: (item: T, index: number) => R, results: R[]): Promise<R[]> {
  for (const item of items.slice(results.length)) {
    await yieldWhereDue()
    results.push(run(item, results.length))
  }
  return results
}

/** A shorter turn had hardly any other work, ms. */
const quiet = 0.3
/** A request has short turns as well. It is over after this number of consecutive quiet turns. */
const quietTurns = 5
/** Most turns that one call leaves to other work. */
const maxTurns = 40

/**
 * Continues once the process has no other work. Call it between pieces of work that can wait, such as an export. A request
 * takes several turns, so with one turn between two pieces it would wait for several pieces.
 */
export async function giveWay(): Promise<void> {
  if (!isTurnOver()) return
  for (let [turns, before] = [0, 0]; turns < maxTurns && before < quietTurns; turns++) {
    const from = performance.now()
    await nextTurn()
    before = performance.now() - from < quiet ? before + 1 : 0
  }
}

/** Resolves after the reactions to all promises that are resolved so far. */
export const settled = (): Promise<void> => new Promise(resolve => process.nextTick(resolve))
