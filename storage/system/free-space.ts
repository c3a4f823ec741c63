/** Free space of a file system, before something large is written. */
import { statfs } from 'node:fs/promises'

/** Space that stays free in addition to what is written: hits are stored meanwhile. */
const SPARE = 100_000_000

/** @param bytes to be written into the folder @throws Error that says how much to free */
export async function checkSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const missing = bytes + SPARE - bavail * bsize
  if (missing > 0)
    throw new Error(`${folder} has too little space: free another ${Math.ceil(missing / 1_000_000).toLocaleString('en-US')} MB`)
}
