import type { Kysely } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'

export type Migration = (db: Kysely<unknown>, dialect: Dialect) => Promise<void>
