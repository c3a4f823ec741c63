/** A time limit over several steps, which cancels them and leaves no timer behind. */
import { OutboundError } from './fault.ts'

/** A timer that is later than this means that the process was stopped (a paused machine), or had no time to read, ms. */
const LATE_MS = 250
/** Then what arrived meanwhile is still to be read, which takes no longer than this, ms. */
const READING_MS = 1_000

/**
 * @param ms time limit for all of `run`
 * @param outer aborts it earlier
 * @throws OutboundError `timeout`, even if `run` ignores the signal
 */
export async function within<T>(ms: number, outer: AbortSignal | undefined, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  // Not AbortSignal.any: on Node 20 the result is retained as long as its longest-lived signal.
  const controller = new AbortController()
  const end = () => controller.abort(new OutboundError('timeout'))
  const due = performance.now() + ms
  let timer = setTimeout(() => {
    if (performance.now() < due + LATE_MS) end()
    else timer = setTimeout(end, READING_MS)
  }, ms)
  if (outer?.aborted) end()
  outer?.addEventListener('abort', end, { once: true })
  try {
    return await unlessAborted(controller.signal, run(controller.signal))
  } finally {
    clearTimeout(timer)
    outer?.removeEventListener('abort', end)
  }
}

/** @throws the signal's reason once it is aborted, even if the result is still pending */
export function unlessAborted<T>(signal: AbortSignal, result: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
