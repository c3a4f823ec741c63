/**
 * The CPU time that a test takes, as a machine of known speed would take it: compared with fixed work that is measured in the
 * same process. Other processes, a slow machine and a slow hour change both alike.
 */
export interface CpuTimer {
  /** ms since it was started, of all threads of this process. */
  taken(): number
}

/**
 * @param bound what a test takes at most, ms. A time below it is returned as it is: the fixed work would take longer than most of
 * what is measured. Without it every time is compared with the fixed work, for tests that compare two times.
 */
export function startCpuTimer(bound = 0): CpuTimer {
  const slowness = bound === 0 ? slownessNow() : 1
  const began = process.cpuUsage()
  return {
    taken() {
      const ms = cpuMs(began)
      return ms < bound ? ms : ms / Math.max(slowness, slownessNow())
    },
  }
}

const cpuMs = (began: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1_000
}

/** The time that `work` takes on the machine on which the bounds of the tests were set, ms. */
const REFERENCE_MS = 5

/** How many times slower than that machine this one is now; at least 1. */
export function slownessNow(): number {
  const tries = Array.from({ length: 3 }, () => {
    const began = process.cpuUsage()
    work()
    return cpuMs(began)
  })
  return Math.max(1, Math.min(...tries) / REFERENCE_MS)
}

/** Text, objects and regular expressions, as most of the service's work is. @returns the sum, so that none of it is left out */
function work(): number {
  let sum = 0
  for (let i = 0; i < 1_000; i++) {
    const text = JSON.stringify({ i, path: `/page/${i}`, words: ['a', 'b', `c${i}`] })
    sum += JSON.parse(text).words.length + text.replace(/\d+/g, found => `<${found}>`).length
  }
  return sum
}
