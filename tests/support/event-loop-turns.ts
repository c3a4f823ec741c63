/** Watches the turns of the event loop while something runs. */
export interface Turns {
  readonly count: number
  /**
   * Part of this process's work that was done in the longest turn, 0 to 1. A slow machine, other processes and a pause for garbage
   * change it little: work that does not give way has one turn, and so nearly 1.
   */
  readonly longest: number
}

export async function turnsDuring(work: () => Promise<unknown>): Promise<Turns> {
  let [count, longest, all, isDone] = [0, 0, 0, false]
  let [last, cpu] = [performance.now(), process.cpuUsage()]
  const measure = () => {
    const { user, system } = process.cpuUsage(cpu)
    const worked = Math.min(performance.now() - last, (user + system) / 1_000) // other threads work as well, and this one waits
    longest = Math.max(longest, worked)
    all += worked
    last = performance.now()
    cpu = process.cpuUsage()
  }
  const turn = () => {
    count++
    measure()
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isDone = true
  measure()
  return { count, longest: all === 0 ? 0 : longest / all }
}
