/** As short as may be, but not over before it began. */
const SLEEP_MS = 0.02

/**
 * Lets others have the core now and then. A thread that counts without a break may keep it until the scheduler's next
 * tick, 4 ms on many machines, whatever its priority; one that sleeps leaves it at once.
 * @param everyMs how long it counts between two breaths; one takes about 0.1 ms
 * @param clock ms, from anywhere
 */
export function breather(everyMs: number, clock: () => number): () => void {
  const nobody = new Int32Array(new SharedArrayBuffer(4)) // wakes it
  let last = clock()
  return () => {
    if (clock() - last < everyMs) return
    Atomics.wait(nobody, 0, 0, SLEEP_MS)
    last = clock()
  }
}
