/** Watches the turns of the event loop while something runs. */

export interface Turns {
  readonly count: number
  /** Ms of this process's work in the longest turn: the rest of the machine may be busy. */
  readonly longest: number
}

export async function turnsDuring(work: () => Promise<unknown>): Promise<Turns> {
  let [count, longest, isDone] = [0, 0, false]
  let [last, cpu] = [performance.now(), process.cpuUsage()]
  const turn = () => {
    const { user, system } = process.cpuUsage(cpu)
    count++
    longest = Math.max(longest, Math.min(performance.now() - last, (user + system) / 1_000))
    last = performance.now()
    cpu = process.cpuUsage()
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isDone = true
  return { count, longest }
}
