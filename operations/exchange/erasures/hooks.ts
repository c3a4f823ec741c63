import { hook } from '../../../runtime/events/hook.ts'
import type { LiveSite } from '../../sites/sites/records.ts'

/** Runs when visits with a value of a person have been erased: other records with its text are deleted, too. */
export const value_erasing = hook<{ readonly site: LiveSite; readonly spellings: readonly string[] }>('a value of a person is erased')
