/** Public functions of exports for other areas: rows of a site's days, and writers for them. */
export { type StoredPart, type WrittenDay, writtenDays } from './days.ts'
export { memorySink } from './sinks.ts'
export { type TableName, tableNames, tables } from './tables.ts'
export { type Texts, textsOf } from './texts.ts'
export type { Cells, Column } from './row-writer.ts'
export { openWriter } from './writers.ts'
