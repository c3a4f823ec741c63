/** Processes due rows concurrently. */

interface Work<Row, Result> {
  /** Most rows in progress at once. */
  readonly max: number
  /** When aborted, nothing more is claimed; rows in progress are finished. */
  readonly signal: AbortSignal
  /** The lane of a row; `claim` receives the number of rows in progress in each. */
  laneOf(row: Row): string
  /**
   * Claims at most `free` due rows. It also receives the results since the last call, even if nothing is free, so that
   * one transaction can write many results and claim the next rows.
   */
  claim(free: number, lanes: Lanes, results: readonly Result[]): Promise<readonly Row[]>
  work(row: Row): Promise<Result>
  /** Interval of queries for newly due rows while slow ones are in progress, ms. Default 500. */
  readonly checkIntervalMs?: number
  /** Waiting time after a result for others to write with it, ms. Default 0. */
  readonly gatherMs?: number
}

/** Rows in progress by lane; empty lanes are missing. */
export type Lanes = ReadonlyMap<string, number>

/**
 * Claims rows as lanes become free, so that a slow row delays only its own lane. Resolves when nothing is due and all
 * are done.
 * @throws the first error of `work`, once the rest is done
 */
export async function processDueRows<Row, Result>({
  max,
  signal,
  laneOf,
  claim,
  work,
  checkIntervalMs = 500,
  gatherMs = 0,
}: Work<Row, Result>): Promise<void> {
  const lanes = new Map<string, number>()
  let running = 0
  let results: Result[] = []
  const faults: unknown[] = []
  let resultArrived = () => {}

  const count = (lane: string, change: 1 | -1) => {
    running += change
    const runningInLane = (lanes.get(lane) ?? 0) + change
    if (runningInLane === 0) lanes.delete(lane)
    else lanes.set(lane, runningInLane)
  }
  const begin = (row: Row) => {
    const lane = laneOf(row)
    count(lane, 1)
    void work(row)
      .then(
        result => {
          results.push(result)
        },
        (fault: unknown) => {
          faults.push(fault)
        },
      )
      .finally(() => {
        count(lane, -1)
        resultArrived()
      })
  }

  for (;;) {
    const written = results
    results = []
    const free = signal.aborted ? 0 : max - running
    if (free > 0 || written.length > 0) for (const row of await claim(free, lanes, written)) begin(row)
    if (running === 0 && results.length === 0) break
    if (running > 0 && results.length === 0) await untilResult()
    if (gatherMs > 0) await new Promise(resolve => setTimeout(resolve, gatherMs))
  }
  if (faults.length > 0) throw faults[0]

  function untilResult(): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, checkIntervalMs)
      resultArrived = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
