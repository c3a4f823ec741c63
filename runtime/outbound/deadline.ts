/** A time limit over several steps that ends them all, and leaves nothing behind when they end before it. */
import { OutboundError } from './fault.ts'

/**
 * @param ms wall-clock time for all of `run`
 * @param outer ends it earlier
 * @throws OutboundError `timeout`, also where `run` itself does not listen to the signal
 */
export async function within<T>(ms: number, outer: AbortSignal | undefined, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  // Not AbortSignal.any: on Node 20 what it combines is kept as long as the longest-lived of its signals.
  const controller = new AbortController()
  const end = () => controller.abort(new OutboundError('timeout'))
  const timer = setTimeout(end, ms)
  if (outer?.aborted) end()
  outer?.addEventListener('abort', end, { once: true })
  try {
    return await unlessAborted(controller.signal, run(controller.signal))
  } finally {
    clearTimeout(timer)
    outer?.removeEventListener('abort', end)
  }
}

/** @throws the signal's reason once it is aborted, whatever becomes of the result */
export function unlessAborted<T>(signal: AbortSignal, result: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
