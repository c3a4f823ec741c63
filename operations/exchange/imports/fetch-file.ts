/**
 * Downloads the file of an import into the file store. Received bytes are kept: after a broken connection or a crash, the
 * download resumes if the server still has the same version of the file (RFC 9110 §13.1.5, §14.2).
 */
import { m } from './messages.ts'
import type { Message } from '../../../runtime/texts/message.ts'
import { setTimeout } from 'node:timers/promises'
import { JobFailure } from '../../../runtime/tasks/job.ts'
import { type Download, endpointGuard, guardedDownload, OutboundError, targetUrl } from '../../../runtime/outbound/outbound.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import type { TaskContext } from '../../../runtime/table/task.ts'
import type { ImportRow } from '../../../storage/tables/index.ts'
import { files } from '../files/index.ts'
import { IMPORT_MAX_MB } from './settings.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../storage/values/durations.ts'

type Context = Pick<TaskContext, 'store' | 'config' | 'use' | 'now' | 'signal'>

const limits = { timeoutMs: 6 * HOUR_MS, idleMs: MINUTE_MS, connectMs: 10 * SECOND_MS, redirects: 5 } as const
/** Delays before retries, ms. After an attempt that received bytes, the first delay applies again. */
const WAITS = [500, 2_000, 10_000, 30_000]
const MEGABYTE = 1024 * 1024
/** Bytes between two checks whether the import was cancelled. */
const CHECK_EACH = 8 * MEGABYTE

/** The attempt failed, and a later one may succeed. */
class Interrupted extends Error {
  readonly sentence: Message
  constructor(sentence: Message) {
    super(String(sentence))
    this.sentence = sentence
  }
}
class Cancelled extends Error {}

/** @returns false if the import was cancelled or the process ends @throws JobFailure if the file cannot be downloaded */
export async function fetchFile(context: Context, row: ImportRow): Promise<boolean> {
  const { store, use, config, signal } = context
  const address = await use(secretBox).unseal(store.read, row.url ?? '', row.id)
  if (address === null) throw new JobFailure('fetch_failed', m.key_gone())
  const max = config.of(IMPORT_MAX_MB) * MEGABYTE
  const url = targetUrl(address)
  const guard = { ...endpointGuard(url, config), signal }
  const stored = use(files)
  let [tag, total] = [row.url_tag, row.bytes]

  for (let failures = 0; ; ) {
    const received = (await stored.sizeOf(row.id)) ?? 0
    if (total !== null && received === total) return true
    const resumes = received > 0 && tag !== null
    const headers = {
      Accept: '*/*',
      'Accept-Encoding': 'identity',
      'User-Agent': 'Footfall import',
      ...(resumes && { Range: `bytes=${received}-`, 'If-Range': tag ?? '' }),
    }
    try {
      await guardedDownload(url.href, { ...limits, ...guard, headers }, async answer => {
        if (url.protocol === 'https:' && !answer.url.startsWith('https:')) throw new JobFailure('fetch_failed', m.redirects_in_clear())
        const from = startOf(answer, resumes ? received : 0)
        if (from === undefined) {
          total = received
          return
        }
        tag = tagOf(answer)
        total = sizeOf(answer, from)
        if (total !== null && total > max) throw tooLarge(max)
        await update(context, row, { url_tag: tag, bytes: total })
        const fits = await stored.write(row.id, { from, bytes: untilCancelled(context, row, answer.pieces), max })
        if (!fits) throw tooLarge(max)
        total ??= (await stored.sizeOf(row.id)) ?? 0 // the answer had no length, and is complete
      })
    } catch (error) {
      if (error instanceof Cancelled || signal.aborted) return false
      if (!(error instanceof Interrupted || (error instanceof OutboundError && temporaryCodes.has(error.code))))
        throw error instanceof OutboundError ? new JobFailure('fetch_failed', error.sentence) : error
      const hasProgress = ((await stored.sizeOf(row.id)) ?? 0) > received
      failures = hasProgress ? 1 : failures + 1
      const wait = WAITS[failures - 1]
      if (wait === undefined) throw new JobFailure('fetch_failed', error.sentence)
      await setTimeout(wait, undefined, { signal }).catch(() => {})
      if (signal.aborted) return false
    }
  }
}

const temporaryCodes = new Set(['timeout', 'connection_reset', 'connection_refused', 'dns_error', 'unreachable'])
const tooLarge = (max: number) => new JobFailure('too_large', m.fetched_too_large({ most: max }))

/** The byte of the file that an answer begins at; undefined if the received bytes are the whole file. */
function startOf({ status, headers }: Download, received: number): number | undefined {
  if (status === 200) return 0
  const [, from, size] = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? []
  if (status === 206 && Number(from) === received) return received
  if (status === 416 && received > 0 && Number(size) === received) return undefined
  const message = m.server_answered({ status })
  if (status >= 500 || status === 429) throw new Interrupted(message)
  throw new JobFailure('fetch_failed', message)
}

/** The strong tag or the time of the last change. A weak tag does not identify the bytes. */
function tagOf({ headers: { etag, 'last-modified': changed } }: Download): string | null {
  const tag = etag !== undefined && !etag.startsWith('W/') ? etag : changed
  return tag !== undefined && tag.length <= 500 ? tag : null
}

function sizeOf({ headers }: Download, from: number): number | null {
  const rest = headers['content-length']
  return rest !== undefined && /^\d{1,15}$/.test(rest) ? from + Number(rest) : null
}

/** Passes the bytes on, and checks now and then whether the import was cancelled. */
async function* untilCancelled(context: Context, row: ImportRow, pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let since = 0
  for await (const piece of pieces) {
    yield piece
    since += piece.length
    if (since < CHECK_EACH) continue
    since = 0
    await update(context, row, {})
  }
}

/** @throws Cancelled if the import was cancelled or deleted */
async function update({ store, now }: Context, { id }: ImportRow, changes: Partial<Pick<ImportRow, 'url_tag' | 'bytes'>>): Promise<void> {
  const { numUpdatedRows } = await store.write
    .updateTable('imports')
    .set({ ...changes, updated_at: now() })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .where('removing', '=', 0)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new Cancelled()
}
