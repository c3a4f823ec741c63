/** Days are sealed with how many purchases each visit made (format 3): those that were sealed without are due again. */
import { sealAgain } from './create-table.ts'
import type { Migration } from './migration.ts'

export const purchases: Migration = db => sealAgain(db)
