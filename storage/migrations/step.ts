import type { Kysely } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import type { tables, TableName } from '../tables/index.ts'

/** Names a declared table, a declared column of a table, or an index that came later than its columns. */
export type Addition =
  | TableName
  | { [T in TableName]: `${T}.${keyof (typeof tables)[T]['columns'] & string}` }[TableName]
  | `index ${string}`

/** Changes data, or what no declaration of a table can say. */
export type Conversion = (db: Kysely<unknown>, dialect: Dialect) => Promise<unknown>

/** One step from an older schema to a newer one. */
export interface Step {
  /** The name that databases have recorded, for steps from before names had numbers. */
  readonly was?: string
  /** Is made as it is declared in `storage/tables`, in any order. */
  readonly adds?: readonly Addition[]
  /** Runs after the additions, for a database that was made before the step. */
  readonly converts?: Conversion
}
