import type { JsonObject } from '../../sites/collection/index.ts'

/** A record of a file, parsed, or with its fault and its text as far as that is at hand. Lines count from 1. */
export type Recorded =
  | { readonly line: number; readonly record: JsonObject }
  | { readonly line: number; readonly fault: string; readonly text?: string }

/** Longest record in characters, as for a hit that is sent. */
export const LONGEST = 64 * 1024
