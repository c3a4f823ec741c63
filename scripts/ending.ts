/** How a process ends that was told to: by itself, and where something holds it up, by force. */
import { setTimeout as sleep } from 'node:timers/promises'
import { standardOutput } from '../runtime/output.ts'

/** From the signal to force: supervisors kill after 10 s, and say that it would not end. */
const patienceMs = 9_500
/** For what was said last, where somebody still reads. */
const lastWordsMs = 500

/** What runs in threads: `process.exit` waits for it, a lookup of a name for half a minute, and no timer runs any more. */
const inThreads = /^(FS|GETADDRINFO|GETNAMEINFO)REQ/i

/**
 * Calls `goDown` at the first SIGTERM or SIGINT, and ends the process when it is done or after 10 s. Nothing that was
 * acknowledged waits for that: it was stored before.
 */
export function endOnSignal(goDown: (signal: NodeJS.Signals) => Promise<void>): void {
  let going = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (going) return
      going = true
      setTimeout(byForce, patienceMs)
      void goDown(signal).catch((error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
        process.exitCode = 1
      }).then(end)
    })
  }
}

async function end(): Promise<void> {
  await standardOutput().flushed(lastWordsMs)
  while (process.getActiveResourcesInfo().some(name => inThreads.test(name))) await sleep(50)
  process.exit()
}

function byForce(): void {
  process.kill(process.pid, 'SIGKILL')
}
