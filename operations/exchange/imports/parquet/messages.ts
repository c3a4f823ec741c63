/** Messages between the process and the thread that reads a Parquet file. */

export interface ThreadSettings {
  /** Bytes of the file. */
  readonly size: number
}

export type FromThread =
  /** Bytes of the file that it needs; `bytes` answers. */
  | { readonly wants: readonly [from: number, to: number] }
  /** Names of the columns at the outer level; `columns` answers which are read. */
  | { readonly columns: readonly string[] }
  /** Some rows as JSON lines; `next` answers. */
  | { readonly lines: Uint8Array }
  | { readonly end: true }
  /** The reason why the file cannot be read; the message as stored. */
  | { readonly fault: string; readonly message: string }

export type ToThread = { readonly bytes: Uint8Array } | { readonly columns: readonly string[] } | { readonly next: true }
