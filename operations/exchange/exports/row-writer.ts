/** Rows of an export, and where they go. */

/** `time` is epoch ms, `json` a text of JSON in CSV and Parquet. */
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
