/** Rows of an export, and their writer. */

/** `time` is epoch ms, `json` JSON as text in CSV and Parquet. */
export interface Column {
  readonly name: string
  readonly type: 'text' | 'int' | 'real' | 'flag' | 'time' | 'json'
}
/** By column; missing ones are empty. */
export type Cells = Readonly<Record<string, unknown>>

export interface RowWriter {
  write(rows: readonly Cells[]): Promise<void>
  close(): Promise<void>
}
