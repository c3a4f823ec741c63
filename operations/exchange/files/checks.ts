/** Checks that files can be stored at their location, and that it does not belong to another installation. */
import { setTimeout } from 'node:timers/promises'
import type { HandlerServices } from '../../../runtime/table/services.ts'
import { check } from '../../../runtime/table/check.ts'
import { FilesUnusable } from './file-store.ts'
import { files } from './files.ts'
import { FILES_URL } from './settings.ts'

/** Longest time that a start waits for a bucket, ms. The first use checks it again. */
const PATIENCE = 3_000
/** Interval between checks of a bucket, ms, because each request costs something. */
const BUCKET_AGAIN = 60_000
const bucketAsked = new WeakMap<HandlerServices, { readonly at: number; readonly fault: string | undefined }>()

export const files_kept = check({
  what: 'the location of files (FILES_URL)',
  async start(app) {
    const late = new AbortController()
    const checked = startCheck(app).finally(() => late.abort())
    await Promise.race([checked, setTimeout(PATIENCE, undefined, { signal: late.signal }).catch(() => checked)])
    checked.catch(() => {}) // after that time, uses of it are refused
  },
  async now(app) {
    const place = app.config.of(FILES_URL)
    if (place === 'default' || 'folder' in place) {
      const reason = await faultOf(app)
      return reason === undefined ? undefined : { reason, isUnready: true }
    }
    const known = bucketAsked.get(app)
    const asked =
      known && app.now() < known.at + BUCKET_AGAIN && known.fault === undefined ? known : { at: app.now(), fault: await faultOf(app) }
    bucketAsked.set(app, asked)
    // Without the bucket the process still stores hits and answers reports, and other processes use the same bucket.
    return asked.fault === undefined ? undefined : { reason: asked.fault, isUnready: false }
  },
})

/** Logs a temporary fault and continues. @throws Error for the operator */
async function startCheck({ use, log }: HandlerServices): Promise<void> {
  try {
    await use(files).check()
    await use(files).probe(true)
  } catch (err) {
    if (err instanceof FilesUnusable && err.isLasting) throw new Error(err.advice, { cause: err })
    log.warn({ err }, 'the location of files (FILES_URL) cannot be used')
  }
}

async function faultOf({ use }: HandlerServices): Promise<string | undefined> {
  try {
    await use(files).probe(false)
    return undefined
  } catch (err) {
    if (!(err instanceof FilesUnusable)) throw err
    return inSentence(err.message)
  }
}

const inSentence = (text: string): string => text.replace(/^T/, 't').replace(/\.( Try again shortly\.)?$/, '')
