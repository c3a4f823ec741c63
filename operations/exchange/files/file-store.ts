/** Where files are kept, and what is done with them. */
import type { Bytes } from '../../../runtime/table/answer-kinds.ts'
import { StorageUnavailable } from '../../../storage/values/storage-unavailable.ts'

/** Names are letters, digits, `_` and `-`, made by us. If a folder or bucket cannot be used, calls throw FilesUnusable. */
export interface Files {
  /** Bytes; undefined if there is no such file. */
  sizeOf(name: string): Promise<number | undefined>
  /**
   * Writes from a position on, at most its size, up to the end of `bytes`, and cuts the file there. What came is kept, if
   * the sender goes away too.
   * @param most largest size; longer uploads end with `false`
   */
  write(name: string, from: number, bytes: Bytes, most: number): Promise<boolean>
  /** Begins a file that is there with its last byte, in place of one of this name; what was begun of it before cannot end. */
  create(name: string): Promise<NewFile>
  /** Undefined if there is no such file. */
  open(name: string): Promise<StoredFile | undefined>
  /** And what was begun of it. */
  remove(name: string): Promise<void>
  /** Names of all files, and of those that are being made. @param prefix what they begin with */
  names(prefix: string): Promise<string[]>
  /** Checks that files can be written. @param isStart thorough, even if that costs something */
  probe(isStart: boolean): Promise<void>
}

/** Files cannot be kept at their place. The message is for callers. */
export class FilesUnusable extends StorageUnavailable {
  /** For the operator: the place, the user, and what to do. */
  readonly advice: string
  /** Whether it stays so until an operator changes something: then a start stops. */
  readonly isLasting: boolean

  constructor(message: string, { advice = message, isLasting, cause }: { advice?: string; isLasting: boolean; cause?: unknown }) {
    super('busy', message, { cause })
    this.advice = advice
    this.isLasting = isLasting
  }
}

/** Another run has begun the same file since: this one's is not to be. */
export class FileReplaced extends Error {}

export interface NewFile {
  /** Resolves when more may follow. */
  write(bytes: Uint8Array): Promise<void>
  /** The file is there. @throws FileReplaced */
  close(): Promise<void>
  /** It is not to be. */
  discard(): Promise<void>
}

/** A file that does not change while it is read. */
export interface StoredFile {
  readonly size: number
  /** @param from first byte @param to the one after the last; default: all */
  read(from?: number, to?: number): AsyncGenerator<Buffer>
  close(): Promise<void>
}

const nameForm = /^[a-z]{2,5}_[\w-]+$/

/** @throws Error for a name that did not come from us */
export function checkedName(name: string): string {
  if (!nameForm.test(name)) throw new Error(`"${name}" is no name of a file`)
  return name
}

/** A part of a file in memory. */
export async function bytesBetween(file: StoredFile, from: number, to: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of file.read(from, to)) pieces.push(piece)
  return Buffer.concat(pieces)
}
