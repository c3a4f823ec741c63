/** As short as possible: with 0, the thread would not sleep. */
const SLEEP_MS = 0.02

/**
 * Yields the core regularly. A thread that computes without a break may keep it until the scheduler's next tick, 4 ms
 * on many machines, whatever its priority; one that sleeps yields at once.
 * @param everyMs computing time between two sleeps; one takes about 0.1 ms
 * @param clock ms, from any origin
 */
export function openYielder(everyMs: number, clock: () => number): () => void {
  const neverWoken = new Int32Array(new SharedArrayBuffer(4))
  let last = clock()
  return () => {
    if (clock() - last < everyMs) return
    Atomics.wait(neverWoken, 0, 0, SLEEP_MS)
    last = clock()
  }
}
