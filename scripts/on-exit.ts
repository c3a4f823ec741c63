/** Ends the process on a signal: gracefully, or by force if something does not end. */
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { standardOutput } from '../runtime/observability/output.ts'
import { onParentGone } from './parent.ts'

/** SIGHUP comes when the terminal closes. */
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** From the signal to SIGKILL: supervisors kill after 10 s and report a process that did not end. */
export const patienceMs = 9_500
/** Signals within this time are one: a terminal sends Ctrl-C to npm and to its child, and npm sends it on. */
const sameMs = 500
/** Time for the last lines of output, if they are still read. */
const lastOutputMs = 500

/** Work in threads. `process.exit` waits for it (half a minute for a DNS lookup), while no timer runs any more. */
const inThreads = /^(FS|GETADDRINFO|GETNAMEINFO)REQ/i

const exitAtOnce = (signal: NodeJS.Signals): void => process.exit(128 + constants.signals[signal])

/** Before there is anything to end gracefully. The first process of a container would not end by itself (pid_namespaces(7)). */
export function exitOnSignal(): void {
  for (const signal of signals) process.on(signal, exitAtOnce)
}

/**
 * Calls `goDown` at the first SIGTERM, SIGINT or SIGHUP, or when npm that started the process is gone, and exits when it is
 * done or after 10 s. Another signal ends the process at once. Acknowledged hits are safe either way, because they are
 * stored before they are acknowledged.
 */
export function endOnSignal(goDown: (signal: NodeJS.Signals) => Promise<void>, within = patienceMs): void {
  let began: number | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    if (began !== undefined) {
      if (performance.now() > began + sameMs) atOnce(signal)
      return
    }
    began = performance.now()
    setTimeout(byForce, within)
    void goDown(signal)
      .catch((error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
        process.exitCode = 1
      })
      .then(end)
  }
  // In this order: a signal that has come and was not handled yet is lost while there is no listener.
  for (const signal of signals) {
    process.on(signal, onSignal)
    process.off(signal, exitAtOnce)
  }
  onParentGone(() => onSignal('SIGTERM'))
}

async function end(): Promise<void> {
  await standardOutput().flushed(lastOutputMs)
  while (process.getActiveResourcesInfo().some(name => inThreads.test(name))) await sleep(50)
  process.exit()
}

/** Ends the process as if it did not handle the signal. */
function atOnce(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
  byForce()
}

function byForce(): void {
  process.kill(process.pid, 'SIGKILL')
  // Reached only by the first process of a container, on which its own signals have no effect (pid_namespaces(7)).
  process.abort()
}
