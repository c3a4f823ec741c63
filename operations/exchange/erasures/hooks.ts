import { hook } from '../../../runtime/events/hook.ts'
import type { LiveSite } from '../../sites/sites/records.ts'

/** Emitted after all visits with a value of a person were erased. Subscribers delete the value from other records. */
export const value_erased = hook<{ readonly site: LiveSite; readonly spellings: readonly string[] }>('a value of a person is erased')
