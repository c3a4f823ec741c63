/** A file that a form sends (RFC 7578), read as a stream: the first part of the body that has a file name. */
import { fail } from '../table/errors.ts'
import type { Bytes } from '../table/answer-kinds.ts'
import { m } from './messages.ts'

/** Largest file that a form sends, in bytes. A broken connection loses the whole upload, so larger files are sent in another way. */
export const maxOfForm = 100_000_000

export interface PostedFile {
  readonly name: string
  /** Read once. @throws Failure `bad_request` where the body ends before the file does */
  readonly body: Bytes
}

/** Most bytes of a part's headers, or of a field before the file. */
const maxBefore = 16_384
const maxFields = 20
const endOfHeaders = Buffer.from('\r\n\r\n')

/** @param type the Content-Type header @throws Failure `unsupported_media_type`, `bad_request`; `validation_failed` without a file */
export async function fileIn(bytes: Bytes, type: string | undefined): Promise<PostedFile> {
  const boundary = /^multipart\/form-data\s*;.*\bboundary=(?:"([^"]{1,70})"|([^\s;"]{1,70})(?:[\s;]|$))/i
    .exec(type ?? '')
    ?.slice(1)
    .find(Boolean)
  if (boundary === undefined) fail('unsupported_media_type', m.send_multipart())
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const pieces = bytes[Symbol.asyncIterator]()
  let held: Buffer = Buffer.from('\r\n') // the first delimiter has no line break before it

  const readOn = async (): Promise<void> => {
    const next = await pieces.next()
    if (next.done) fail('bad_request', m.ended_early())
    held = Buffer.concat([held, next.value])
  }
  /** Returns the text before the mark, and moves behind the mark. */
  const upTo = async (mark: Buffer): Promise<string> => {
    for (;;) {
      const at = held.indexOf(mark)
      if (at > maxBefore || (at < 0 && held.length > maxBefore)) fail('bad_request')
      if (at >= 0) {
        const before = held.toString('utf8', 0, at)
        held = held.subarray(at + mark.length)
        return before
      }
      await readOn()
    }
  }
  async function* body(): Bytes {
    for (;;) {
      const at = held.indexOf(delimiter)
      // The last bytes received may be the beginning of the delimiter.
      const sure = at < 0 ? held.length - delimiter.length + 1 : at
      if (sure > 0) yield held.subarray(0, sure)
      if (at >= 0) return
      held = held.subarray(Math.max(0, sure))
      await readOn()
    }
  }

  for (let fields = 0; fields < maxFields; fields++) {
    await upTo(delimiter)
    while (held.length < 2) await readOn()
    if (held.toString('latin1', 0, 2) === '--') break // the end of the form
    const name = /^content-disposition:.*;\s*filename="([^"]*)"/im.exec(await upTo(endOfHeaders))?.[1]
    if (name) return { name, body: body() }
  }
  return fail('validation_failed', m.choose_a_file())
}
