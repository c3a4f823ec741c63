/** Works through due rows several at a time. */

interface Work<Row> {
  /** Most rows at work at once. */
  readonly lanes: number
  /** Aborted: takes on nothing more. */
  readonly signal: AbortSignal
  /** At most `limit` rows that are due, claimed. */
  claim(limit: number): Promise<readonly Row[]>
  work(row: Row): Promise<void>
}

/** Looks for newly due rows this often while slow ones keep it from ending, ms. */
const LOOK_MS = 500

/**
 * Claims rows as lanes fall free, so that a slow one delays its own lane and no other. Ends when nothing is due and
 * everything is done.
 * @throws what `work` threw first, once the rest is done
 */
export async function workThrough<Row>({ lanes, signal, claim, work }: Work<Row>): Promise<void> {
  const running = new Set<Promise<void>>()
  const faults: unknown[] = []
  const begin = (row: Row) => {
    const done = work(row).catch((fault: unknown) => { faults.push(fault) }).finally(() => running.delete(done))
    running.add(done)
  }
  for (;;) {
    const free = lanes - running.size
    if (free > 0 && !signal.aborted) for (const row of await claim(free)) begin(row)
    if (running.size === 0) break
    await Promise.race([...running, pause(LOOK_MS)])
  }
  if (faults.length > 0) throw faults[0]
}

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms).unref())
