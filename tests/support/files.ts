/** The folder of files of a test's database. */
import os from 'node:os'
import path from 'node:path'
import { fileOf } from '../../storage/store.ts'

/** Removed with the database. */
export function filesBeside(url: string): string {
  const file = fileOf(url)
  return file === undefined ? path.join(os.tmpdir(), `footfall-files-${path.basename(new URL(url).pathname)}`) : `${file}-files`
}
