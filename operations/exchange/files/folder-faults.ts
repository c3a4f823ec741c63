/** Errors of a folder of files, as reasons for callers and the operator. */
import { userName, whyUnwritable } from '../../../storage/system/file-permissions.ts'
import { type Files, FilesUnusable, type Use } from './file-store.ts'

interface Fault {
  readonly reason: string
  /** Whether the fault lasts until an operator changes something. */
  readonly isLasting: boolean
}

const full = { reason: 'its disk is full', isLasting: false }
const denied = { reason: 'permission denied', isLasting: true }
const noFolder = { reason: 'a part of its path is not a folder', isLasting: true }
const unanswered = { reason: 'its file system does not respond', isLasting: false }

/** By error code of the system. */
const faults: Readonly<Partial<Record<string, Fault>>> = {
  EACCES: denied,
  EPERM: denied,
  EROFS: { reason: 'read-only file system', isLasting: true },
  ENOENT: { reason: 'it is gone', isLasting: true },
  ENOTDIR: noFolder,
  EEXIST: noFolder,
  ELOOP: noFolder,
  ENAMETOOLONG: { reason: 'its path is too long', isLasting: true },
  ENOSPC: full,
  EDQUOT: full,
  EIO: unanswered,
  ESTALE: unanswered,
  ENOTCONN: unanswered,
  ETIMEDOUT: unanswered,
}

export const errorCode = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Turns errors of the system into FilesUnusable. */
export function unusable(folder: string, files: Files, { setting, stored, holds }: Use): Files {
  const fault = (error: unknown): unknown => {
    const found = error instanceof Error && 'syscall' in error ? faults[errorCode(error)] : undefined
    if (!found) return error
    // `mkdir -p` below a folder that may not be written to fails with ENOENT.
    const refused = whyUnwritable(folder)
    const { reason, isLasting } = refused ? { ...denied, ...refused } : found
    const advice =
      refused?.advice ?? `${folder} cannot be written to by ${userName()}: ${reason}. Make that folder usable, or name another one`
    return new FilesUnusable(`The folder of ${holds} (${setting}) cannot be used: ${reason}.`, {
      advice: `${stored} (${setting}) cannot be stored: ${advice} in ${setting} (docs/install.md).`,
      isLasting,
      cause: error,
    })
  }
  const withFaults =
    <A extends unknown[], T>(run: (...given: A) => Promise<T>) =>
    (...given: A): Promise<T> =>
      run(...given).catch((error: unknown) => {
        throw fault(error)
      })
  return {
    sizeOf: withFaults(files.sizeOf),
    write: withFaults(files.write),
    async create(name) {
      const file = await withFaults(files.create)(name)
      return { write: withFaults(file.write), close: withFaults(file.close), discard: withFaults(file.discard) }
    },
    open: withFaults(files.open),
    remove: withFaults(files.remove),
    names: withFaults(files.names),
    probe: withFaults(files.probe),
  }
}
