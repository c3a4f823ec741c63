/**
 * Messages of identity providers are read in a thread, one after another. Anyone can send one, and the library takes time by the
 * square of its elements before it knows whether the signature is good. Meanwhile, the service answers other requests.
 */
import { Worker } from 'node:worker_threads'
import { fail } from '../../../runtime/table/errors.ts'
import { threadScript } from '../../../storage/system/thread-script.ts'
import { SsoRefusal } from './reasons.ts'
import type { SamlOutcome, SamlRead, SamlWork } from './saml-library.ts'

/** Longest time for a message, ms. */
const longestMs = 15_000
/** Messages that may wait. */
const mostWaiting = 50
/** The thread ends when it had no message for this time, ms. */
const idleMs = 60_000
const memory = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 } as const

interface Thread {
  /** Rejects if the thread ends, or after the time limit. */
  read(work: SamlWork): Promise<SamlOutcome>
  end(): Promise<unknown>
}

let thread: Promise<Thread> | undefined
let last: Promise<unknown> = Promise.resolve()
let waiting = 0
let idle: NodeJS.Timeout | undefined

/** @throws SsoRefusal if it takes too long @throws Error with the message of the library */
export async function readInThread(work: SamlWork): Promise<SamlRead> {
  if (waiting >= mostWaiting) fail('unavailable')
  waiting++
  const reading = last.then(() => readNext(work))
  last = reading.catch(() => {})
  try {
    const outcome = await reading
    if ('fault' in outcome) throw new Error(outcome.fault)
    return outcome.read
  } finally {
    waiting--
  }
}

async function readNext(work: SamlWork): Promise<SamlOutcome> {
  clearTimeout(idle)
  thread ??= startThread()
  try {
    return await (await thread).read(work)
  } catch (thrown) {
    await endThread()
    throw thrown
  } finally {
    idle = setTimeout(() => void endThread(), idleMs).unref()
  }
}

async function endThread(): Promise<void> {
  const ending = thread
  thread = undefined
  await ending?.then(
    each => each.end(),
    () => {},
  )
}

async function startThread(): Promise<Thread> {
  const { script, ...options } = await threadScript('saml-thread', new URL('./saml-thread.ts', import.meta.url).href)
  const worker = new Worker(script, { ...options, execArgv: [], name: 'saml', resourceLimits: memory })
  worker.unref()
  let settle: (outcome: SamlOutcome | Error) => void = () => {}
  worker.on('message', (outcome: SamlOutcome) => settle(outcome))
  worker.on('error', error => settle(error))
  worker.on('exit', code => settle(new Error(`the thread that reads SAML ended with ${code}`)))
  return {
    async read(work) {
      worker.ref()
      let timer: NodeJS.Timeout | undefined
      try {
        const outcome = await new Promise<SamlOutcome | Error>(resolve => {
          settle = resolve
          timer = setTimeout(() => resolve(new SsoRefusal('malformed')), longestMs)
          worker.postMessage(work)
        })
        if (outcome instanceof Error) throw outcome
        return outcome
      } finally {
        clearTimeout(timer)
        settle = () => {}
        worker.unref()
      }
    },
    end: () => worker.terminate(),
  }
}
