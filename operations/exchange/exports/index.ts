/** What other areas may use of this one: rows of a site's days, and writers of them. */
export { memorySink } from './sinks.ts'
export { type TableName, tableNames, tables } from './tables.ts'
export { type Texts, textsOf } from './texts.ts'
export type { Cells, Column } from './row-writer.ts'
export { openWriter } from './writers.ts'
