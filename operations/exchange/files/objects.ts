/**
 * Files in a bucket. An uploaded file is a row of objects `{name}/000000`, `{name}/000001` …, all of the same size except
 * the last. Only the listing shows how much was uploaded, so any process can continue an upload. A generated file is a
 * single object, put together from parts when it is complete.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type Bucket, type BucketAddress, BucketError, type BucketKeys, type BucketObject, maxRead, openBucket } from './bucket.ts'
import { checkedName, type Files, FilesUnusable, forFiles, type StoredFile, type Use } from './file-store.ts'

/** Bytes of an object of an upload, and of a part: S3 requires 5 MiB, and at most 10,000 parts. */
const PIECE = maxRead
/** Objects of one file: 1 TB. */
const MAX_OBJECTS = 130_000
/** Prefix of the objects that test whether writing works. */
const PROBE = 'try_'
const TYPE = 'application/octet-stream'
/** The operator sets the address, so any address is allowed. */
const anywhere = { allow: ['0.0.0.0/0', '::/0'] }

interface Place {
  readonly address: BucketAddress
  readonly keys: BucketKeys
  readonly prefix: string
}

export function openObjects({ address, keys, prefix }: Place, now: () => number, use: Use = forFiles): Files {
  const bucket = patient(openBucket({ address, keys, guard: anywhere, now }), use)
  const base = prefix === '' ? '' : `${prefix}/`
  const keyOf = (name: string) => base + checkedName(name)
  const pieceKey = (name: string, index: number) => `${keyOf(name)}/${String(index).padStart(6, '0')}`

  /** The objects of a file, in order. */
  async function objectsOf(name: string): Promise<BucketObject[]> {
    const key = keyOf(name)
    return (await bucket.list(key, MAX_OBJECTS)).filter(object => object.key === key || object.key.startsWith(`${key}/`))
  }

  async function* read(objects: readonly BucketObject[], from: number, to: number): AsyncGenerator<Buffer> {
    let begins = 0
    for (const { key, size } of objects) {
      const [first, end] = [Math.max(from - begins, 0), Math.min(to - begins, size)]
      for (let at = first; at < end; at += PIECE) yield bucket.get(key, at, Math.min(at + PIECE, end))
      begins += size
    }
  }

  return {
    async sizeOf(name) {
      const objects = await objectsOf(name)
      return objects.length === 0 ? undefined : sizeOf(objects)
    },
    async write(name, { from, bytes, max }) {
      const objects = await objectsOf(name)
      let index = Math.floor(from / PIECE)
      const kept = from % PIECE
      let held: Uint8Array[] = kept === 0 ? [] : [await bucket.get(pieceKey(name, index), 0, kept)]
      let size = kept
      // Delete from the end, so that after an interruption a beginning of the file remains.
      for (const { key } of objects.slice(kept === 0 ? index : index + 1).reverse()) await bucket.remove(key)
      const put = async () => {
        await bucket.put(pieceKey(name, index), Buffer.concat(held), TYPE)
        index++
        held = []
        size = 0
      }
      let position = from
      try {
        for await (const piece of bytes) {
          if (position + piece.byteLength > max) return false
          position += piece.byteLength
          for (let rest = piece; rest.byteLength > 0; ) {
            const next = rest.subarray(0, PIECE - size)
            held.push(next)
            size += next.byteLength
            rest = rest.subarray(next.byteLength)
            if (size === PIECE) await put()
          }
        }
        return true
      } finally {
        if (size > 0 || position === 0) await put()
      }
    },
    async create(name) {
      const key = keyOf(name)
      for (const upload of await bucket.openParts(key)) await bucket.dropParts(key, upload) // of a run that was interrupted
      const upload = await bucket.beginParts(key, TYPE)
      const tags: string[] = []
      let [held, size]: [Uint8Array[], number] = [[], 0]
      const put = async () => {
        const body = Buffer.concat(held)
        held = []
        size = 0
        tags.push(await bucket.putPart(key, upload, { number: tags.length + 1, body }))
      }
      return {
        async write(bytes) {
          held.push(bytes)
          size += bytes.byteLength
          if (size >= PIECE) await put()
        },
        async close() {
          if (size > 0 || tags.length === 0) await put()
          await bucket.joinParts(key, upload, tags)
        },
        discard: () => bucket.dropParts(key, upload),
      }
    },
    async open(name) {
      const objects = await objectsOf(name)
      if (objects.length === 0) return undefined
      const size = sizeOf(objects)
      const file: StoredFile = { size, read: (from = 0, to = size) => read(objects, from, to), close: async () => {} }
      return file
    },
    async remove(name) {
      for (const { key } of (await objectsOf(name)).reverse()) await bucket.remove(key)
      for (const upload of await bucket.openParts(keyOf(name))) await bucket.dropParts(keyOf(name), upload)
    },
    async probe(isStart) {
      if (!isStart) return void (await bucket.list(`${base}${PROBE}`, 1))
      const key = keyOf(`${PROBE}${randomBytes(6).toString('hex')}`)
      await bucket.put(key, Buffer.of(), TYPE)
      await bucket.remove(key)
    },
    async names(prefix) {
      const objects = await bucket.list(base + prefix, MAX_OBJECTS)
      return [...new Set(objects.map(({ key }) => key.slice(base.length).split('/')[0] ?? ''))]
    },
  }
}

const sizeOf = (objects: readonly BucketObject[]): number => objects.reduce((sum, { size }) => sum + size, 0)

const WAITS_MS = [200, 1_000]

/**
 * Retries the requests of a bucket if that may help. Repeating a request does no harm.
 * @throws StorageUnavailable if the bucket does not respond as it should
 */
function patient(bucket: Bucket, { setting, holds }: Use): Bucket {
  const again = async <T>(ask: () => Promise<T>): Promise<T> => {
    for (const wait of [...WAITS_MS, null]) {
      try {
        return await ask()
      } catch (thrown) {
        if (!(thrown instanceof BucketError)) throw thrown
        if (wait === null || !mayPass.test(thrown.code))
          throw new FilesUnusable(`The bucket of ${holds} (${setting}) cannot be used: ${thrown.message}. Try again shortly.`, {
            isLasting: refusing.test(thrown.code),
            cause: thrown,
          })
        await setTimeout(wait)
      }
    }
    throw new Error('unreachable')
  }
  return {
    put: (...given) => again(() => bucket.put(...given)),
    get: (...given) => again(() => bucket.get(...given)),
    list: (...given) => again(() => bucket.list(...given)),
    remove: (...given) => again(() => bucket.remove(...given)),
    beginParts: (...given) => again(() => bucket.beginParts(...given)),
    putPart: (...given) => again(() => bucket.putPart(...given)),
    joinParts: (...given) => again(() => bucket.joinParts(...given)),
    dropParts: (...given) => again(() => bucket.dropParts(...given)),
    /** Some servers and keys do not list uploads. A lifecycle rule of the bucket then removes them. */
    openParts: (...given) => bucket.openParts(...given).catch(() => []),
  }
}

/** Errors of a bucket that last until the operator changes its keys, permissions or address. */
const refusing = /^(AccessDenied|InvalidAccessKeyId|SignatureDoesNotMatch|NoSuchBucket|AllAccessDisabled|AccountProblem|status_40[134])$/
const mayPass =
  /^(timeout|connection_reset|connection_refused|unreachable|dns_error|SlowDown|InternalError|ServiceUnavailable|RequestTimeout|status_5\d\d)$/
