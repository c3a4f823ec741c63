/** A worker thread that answers one query at a time. */
import { Worker } from 'node:worker_threads'
import { StorageUnavailable } from '../../values/storage-unavailable.ts'
import { threadScript } from '../../system/thread-script.ts'
import { READY, type ThreadAnswer, type ThreadReply, type ThreadRequest, type ThreadSettings } from './messages.ts'

export interface Thread {
  /** Rejects with the thread's error, or with StorageUnavailable `busy` after the time limit. */
  run(request: ThreadRequest): Promise<ThreadAnswer>
  /** True once it can run no more queries. */
  readonly ended: boolean
  /** Waits until the thread has loaded SQLite: a thread that is terminated before that aborts the process. */
  stop(): Promise<void>
}

interface Running {
  resolve(answer: ThreadAnswer): void
  reject(error: unknown): void
}

export async function startThread(settings: ThreadSettings, timeoutMs: number): Promise<Thread> {
  const { script, ...options } = await threadScript('report-thread', new URL('./worker.ts', import.meta.url).href)
  const worker = new Worker(script, {
    ...options,
    execArgv: [],
    workerData: settings,
    name: 'reports',
    resourceLimits: { maxYoungGenerationSizeMb: 16 }, // the default keeps 48 MB after reading a long range
  })
  let running: Running | null = null
  let ended = false
  let fault: unknown
  let markLoaded = () => {}
  const loaded = new Promise<void>(resolve => {
    markLoaded = resolve
  })
  worker.unref()

  const settle = (outcome: (running: Running) => void) => {
    const waiting = running
    running = null
    worker.unref()
    if (waiting) outcome(waiting)
  }
  worker.on('message', (reply: ThreadReply | typeof READY) => {
    if (reply === READY) return markLoaded()
    settle(({ resolve, reject }) => {
      if ('answer' in reply) resolve(reply.answer)
      else reject('unavailable' in reply ? new StorageUnavailable(reply.unavailable, reply.message, { cause: reply.cause }) : reply.error)
    })
  })
  worker.on('error', error => {
    fault = error
  })
  worker.on('exit', code => {
    ended = true
    markLoaded()
    settle(({ reject }) => reject(fault ?? new Error(`the thread that reads reports ended with ${code}`)))
  })
  const stop = async () => {
    ended = true
    worker.ref() // a thread that is still loading must not be left behind
    await loaded
    await worker.terminate()
  }

  return {
    get ended() {
      return ended
    },
    stop,
    async run(request) {
      worker.ref() // a pending query keeps the process alive, an idle thread does not
      const timer = setTimeout(() => {
        const message = `The report took longer than ${Math.round(timeoutMs / 1000)} s; ask for a shorter range.`
        settle(({ reject }) => reject(new StorageUnavailable('busy', message)))
        void stop()
      }, timeoutMs)
      try {
        return await new Promise<ThreadAnswer>((resolve, reject) => {
          running = { resolve, reject }
          worker.postMessage(request)
        })
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
