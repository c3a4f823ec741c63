/** The entries of a zip by its central directory; apart, because its reader is loaded for the first zip. */
import yauzl from 'yauzl'
import { JobFailure } from '../../../../runtime/tasks/job.ts'
import { StorageUnavailable } from '../../../../storage/values/storage-unavailable.ts'
import type { StoredFile } from '../../files/index.ts'
import { m } from '../messages.ts'
import { metered, type Part, shown } from './unpacked.ts'
import { ZipReader } from './zip-reader.ts'

const MAX_PARTS = 100

/** @param count receives the bytes that are unpacked @throws JobFailure if it cannot be opened */
export async function zipParts(file: StoredFile, count: (bytes: number) => void): Promise<Part[]> {
  try {
    const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true }
    const zip = await yauzl.fromRandomAccessReaderPromise(new ZipReader(file), file.size, options)
    if (zip.entryCount > MAX_PARTS) {
      throw new JobFailure('too_many_files', m.too_many_files({ count: zip.entryCount, most: MAX_PARTS }))
    }
    const parts: Part[] = []
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/') || /(^|\/)(__MACOSX|\.[^/]+)(\/|$)/.test(entry.fileName)) continue
      parts.push({
        name: entry.fileName,
        async *bytes(onRead = () => {}) {
          if (entry.isEncrypted()) throw new JobFailure('damaged', m.part_encrypted({ name: shown(entry.fileName) }))
          yield* metered(await zip.openReadStreamPromise(entry), count, entry.fileName)
          onRead(entry.compressedSize)
        },
      })
    }
    return parts
  } catch (error) {
    if (error instanceof JobFailure || error instanceof StorageUnavailable) throw error
    throw new JobFailure('damaged', m.archive_damaged({ why: error instanceof Error ? error.message : m.not_read() }))
  }
}
