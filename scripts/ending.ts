/** Ends the process on a signal: gracefully, or by force if something does not end. */
import { setTimeout as sleep } from 'node:timers/promises'
import { standardOutput } from '../runtime/output.ts'

/** From the signal to SIGKILL: supervisors kill after 10 s and report a process that did not end. */
const patienceMs = 9_500
/** Time for the last lines of output, if they are still read. */
const lastOutputMs = 500

/** Work in threads. `process.exit` waits for it (half a minute for a DNS lookup), while no timer runs any more. */
const inThreads = /^(FS|GETADDRINFO|GETNAMEINFO)REQ/i

/**
 * Calls `goDown` at the first SIGTERM or SIGINT, and exits when it is done or after 10 s. Acknowledged hits are safe
 * either way, because they are stored before they are acknowledged.
 */
export function endOnSignal(goDown: (signal: NodeJS.Signals) => Promise<void>, within = patienceMs): void {
  let going = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (going) return
      going = true
      setTimeout(byForce, within)
      void goDown(signal)
        .catch((error: unknown) => {
          process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
          process.exitCode = 1
        })
        .then(end)
    })
  }
}

async function end(): Promise<void> {
  await standardOutput().flushed(lastOutputMs)
  while (process.getActiveResourcesInfo().some(name => inThreads.test(name))) await sleep(50)
  process.exit()
}

function byForce(): void {
  process.kill(process.pid, 'SIGKILL')
  // Reached only by the first process of a container, on which its own signals have no effect (pid_namespaces(7)).
  process.abort()
}
