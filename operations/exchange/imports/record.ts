import type { JsonObject } from '../../sites/collection/index.ts'

/** A record of a file, parsed, or with its fault and, if available, its text. Lines count from 1. */
export type Recorded =
  | { readonly line: number; readonly record: JsonObject }
  | { readonly line: number; readonly fault: string; readonly text?: string }

/** End of the fault of a record that cannot be parsed. */
export const NOT_JSON = 'is not JSON'

/** Longest record in characters, as for a collected hit. */
export const MAX_LENGTH = 64 * 1024
