/** Counts what an upload unpacks to, and ends the import of a bomb. */
import { JobFailure } from '../../../../runtime/tasks/job.ts'
import { StorageUnavailable } from '../../../../storage/values/storage-unavailable.ts'
import { m } from '../messages.ts'

const MAX_BYTES = 8 * 1024 ** 3
/** Unpacked bytes for one packed byte; small files may have more. */
const MAX_RATIO = 200
const SMALL = 10 * 1024 ** 2

/** Counts what all parts unpack to; each pass over the upload starts over. */
export const unpackedMeter =
  (size: number, ratio = MAX_RATIO) =>
  () => {
    let unpacked = 0
    return (bytes: number) => {
      unpacked += bytes
      if (unpacked > MAX_BYTES) throw new JobFailure('too_large', m.unpacks_too_large({ most: MAX_BYTES / 1024 ** 3 }))
      if (unpacked > SMALL && unpacked > size * ratio) throw new JobFailure('too_large', m.unpacks_too_often({ ratio }))
    }
  }

/** The pieces, counted. @throws JobFailure `damaged` */
export async function* metered<T extends Uint8Array>(
  pieces: AsyncIterable<T>,
  count: (bytes: number) => void,
  name: string,
): AsyncGenerator<T> {
  try {
    for await (const piece of pieces) {
      count(piece.length)
      yield piece
    }
  } catch (error) {
    if (error instanceof JobFailure || error instanceof StorageUnavailable) throw error
    throw new JobFailure('damaged', m.part_damaged({ name: shown(name), why: error instanceof Error ? error.message : m.not_unpacked() }))
  }
}

/** A name from outside, quoted for a message. */
export const shown = (name: string): string => JSON.stringify(name.slice(0, 100))

export interface Part {
  /** In a zip, the path inside of it. */
  readonly name: string
  /** Its content in pieces, from the beginning each time. @param onRead receives the approximate bytes of the upload that were read */
  bytes(onRead?: (bytes: number) => void): AsyncGenerator<Buffer>
}
