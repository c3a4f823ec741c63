/** Gives free pages of a SQLite file back to the file system, a little at a time. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FileSpace } from '../../../storage/dialects/dialect.ts'

/** Pages of one transaction: about a millisecond. */
const stepPages = 64
/** Between two transactions, so that hits and calls come first. */
const restMs = 5
/** Transactions of one run: 100 MB with pages of 4 KB. */
const maxSteps = 400
/** Free pages that are kept for new rows: this part of the file, and at least so many. */
const keptPart = 0.05
const keptLeast = 2_048

/**
 * Begins when twice the kept pages are free, because a file that shrinks and grows all the time gains nothing.
 * @param onStep gets the pages given back so far
 * @returns whether there is more to give back
 */
export async function giveBack({ space, giveBack }: FileSpace, signal: AbortSignal, onStep: (done: number) => void): Promise<boolean> {
  const { pages, freePages, canShrink } = space()
  const kept = Math.max(keptLeast, Math.ceil(pages * keptPart))
  if (!canShrink || freePages < 2 * kept) return false
  let done = 0
  for (let step = 0; step < maxSteps && done < freePages - kept && !signal.aborted; step++) {
    const some = Math.min(stepPages, freePages - kept - done)
    if (giveBack(some)) onStep((done += some))
    await sleep(restMs)
  }
  return done < freePages - kept
}
