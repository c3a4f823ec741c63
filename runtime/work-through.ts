/** Works through due rows several at a time. */

interface Work<Row, End> {
  /** Most rows at work at once. */
  readonly most: number
  /** Aborted: claims nothing more; what is at work is worked to its end. */
  readonly signal: AbortSignal
  /** The lane of a row: what else is at work there, `claim` is told. */
  laneOf(row: Row): string
  /**
   * At most `free` rows that are due, claimed. Called with what ended since it was called last too, even where nothing
   * is free, so that one transaction can write what came of many rows and claim the next.
   */
  claim(free: number, lanes: Lanes, ended: readonly End[]): Promise<readonly Row[]>
  work(row: Row): Promise<End>
  /** Looks for newly due rows this often while slow ones keep it from ending, ms. Default 500. */
  readonly lookMs?: number
  /** Waited after an end for others, to write them together, ms. Default 0. */
  readonly gatherMs?: number
}

/** How many rows are at work in each lane; a lane without any is missing. */
export type Lanes = ReadonlyMap<string, number>

/**
 * Claims rows as lanes fall free, so that a slow one delays its own lane and no other. Ends when nothing is due and
 * everything is done.
 * @throws what `work` threw first, once the rest is done
 */
export async function workThrough<Row, End>({
  most,
  signal,
  laneOf,
  claim,
  work,
  lookMs = 500,
  gatherMs = 0,
}: Work<Row, End>): Promise<void> {
  const lanes = new Map<string, number>()
  let running = 0
  let ended: End[] = []
  const faults: unknown[] = []
  let heard = () => {}

  const move = (lane: string, by: number) => {
    running += by
    const left = (lanes.get(lane) ?? 0) + by
    if (left === 0) lanes.delete(lane)
    else lanes.set(lane, left)
  }
  const begin = (row: Row) => {
    const lane = laneOf(row)
    move(lane, 1)
    void work(row)
      .then(
        end => {
          ended.push(end)
        },
        (fault: unknown) => {
          faults.push(fault)
        },
      )
      .finally(() => {
        move(lane, -1)
        heard()
      })
  }

  for (;;) {
    const ends = ended
    ended = []
    const free = signal.aborted ? 0 : most - running
    if (free > 0 || ends.length > 0) for (const row of await claim(free, lanes, ends)) begin(row)
    if (running === 0 && ended.length === 0) break
    if (running > 0 && ended.length === 0) await untilHeard()
    if (gatherMs > 0) await new Promise(resolve => setTimeout(resolve, gatherMs))
  }
  if (faults.length > 0) throw faults[0]

  function untilHeard(): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, lookMs)
      heard = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
