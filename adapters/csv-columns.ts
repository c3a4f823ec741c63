/** The columns of a list of texts in CSV: the same for HTTP, which reads the table, and the CLI, which reads the OpenAPI file. */

/** Most texts of a list that have a column each. */
const MAX_COLUMNS = 3

interface List {
  readonly type: unknown
  /** The type of its entries. */
  readonly of: unknown
  readonly maxItems: number | undefined
}

/** `values.0`, `values.1` for a short list of texts; undefined for other fields. */
export function columnsOfTexts(name: string, { type, of, maxItems = Number.POSITIVE_INFINITY }: List): string[] | undefined {
  if (type !== 'array' || of !== 'string' || maxItems > MAX_COLUMNS) return undefined
  return Array.from({ length: maxItems }, (_, i) => `${name}.${i}`)
}
