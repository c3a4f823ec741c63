/** Watches the turns of the event loop while something runs. */
import { slownessNow } from './cpu.ts'

export interface Turns {
  readonly count: number
  /** Ms of this process's work in the longest turn, as a machine of known speed would take it. */
  readonly longest: number
}

export async function turnsDuring(work: () => Promise<unknown>): Promise<Turns> {
  const slowness = slownessNow()
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
  return { count, longest: longest / Math.max(slowness, slownessNow()) }
}
