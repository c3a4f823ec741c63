import type { JsonObject } from '../../sites/collection/index.ts'

/** A record as it stands in a file: read, or with what is wrong with it. Lines count from 1. */
export type Recorded = { readonly line: number; readonly record: JsonObject } | { readonly line: number; readonly fault: string }

/** Longest record, in characters: what a sent hit may have. */
export const LONGEST = 64 * 1024
