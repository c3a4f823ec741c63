/** The CPU time that a test itself takes: what other processes take meanwhile is not counted. */
export interface CpuTimer {
  /** ms since it was started, of all threads of this process. */
  taken(): number
}

export function startCpuTimer(): CpuTimer {
  const began = process.cpuUsage()
  return {
    taken() {
      const { user, system } = process.cpuUsage(began)
      return (user + system) / 1_000
    },
  }
}
