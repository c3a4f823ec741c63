import type { Kysely } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import type { tables, TableName } from '../tables/index.ts'

/** The name of a declared table, of a declared column, or of an index that is newer than its columns. */
export type Addition =
  | TableName
  | { [T in TableName]: `${T}.${keyof (typeof tables)[T]['columns'] & string}` }[TableName]
  | `index ${string}`

/** A change of data, or of something that no declaration of a table can express. */
export type Conversion = (db: Kysely<unknown>, dialect: Dialect) => Promise<unknown>

/** One step from an older schema to a newer one. */
export interface Step {
  /** The name that databases have recorded, for steps from before names had numbers. */
  readonly was?: string
  /** Created as `storage/tables` declares them, in any order. */
  readonly adds?: readonly Addition[]
  /** Runs after the additions, for a database that was made before the step. */
  readonly converts?: Conversion
}
