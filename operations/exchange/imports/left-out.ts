/** Counts what an import leaves out of the rows of a file, by name and reason. */
import { beginning } from '../../../runtime/values/clip.ts'
import { Message, type Sentence } from '../../../runtime/texts/message.ts'
import type { JsonObject } from '../../sites/collection/index.ts'
import { m } from './messages.ts'

/** A part of a row that the import leaves out. */
export interface Omission {
  /** A column, a field, or a kind of row; for example `Title` or `actionDetails: content`. */
  readonly what: string
  readonly why: Sentence
}

/** A part of a file that the import leaves out. */
export interface Ignored extends Omission {
  /** Number of rows that have it; null if it is not counted, such as for a file of an archive. */
  readonly rows: number | null
}

/** Notes that the current row has something that the import leaves out. A row counts once, however often it is noted. */
export type LeaveOut = (what: string, why: Sentence) => void

/** Entries of an import, at most. The names may come from the file, so all further ones share the last entry. */
const MAX_LISTED = 200
/** Longest name, and longest reason that is a text. */
const NAME = 100
const REASON = 500

const further = { what: '…', why: m.further_left_out() }

/** Limits the entries of a file: the first ones, and one for all further ones. */
export const limited = (ignored: readonly Ignored[]): readonly Ignored[] =>
  ignored.length <= MAX_LISTED ? ignored : [...ignored.slice(0, MAX_LISTED - 1), { ...further, rows: null }]

const keyOf = ({ what, why }: Omission): string => `${what}\0${why instanceof Message ? why.code + JSON.stringify(why.params) : why}`

/** Adds the omissions of further rows, one list for each row. */
export function withOmissions(ignored: readonly Ignored[], rows: Iterable<readonly Omission[]>): readonly Ignored[] {
  const entries = new Map(ignored.map(each => [keyOf(each), { ...each }]))
  for (const omissions of rows) {
    const counted = new Set<string>()
    for (const { what, why } of omissions) {
      const given = { what: beginning(what, NAME), why: typeof why === 'string' ? beginning(why, REASON) : why }
      const isFurther = entries.size >= MAX_LISTED - 1 && !entries.has(keyOf(given))
      const entry = isFurther ? further : given
      const key = keyOf(entry)
      if (counted.has(key)) continue
      counted.add(key)
      const known = entries.get(key)
      if (known) known.rows = (known.rows ?? 0) + 1
      else entries.set(key, { ...entry, rows: 1 })
    }
  }
  return [...entries.values()]
}

/** Whether a record has no value in a column. */
export function isBlank(record: JsonObject, column: string): boolean {
  const value = Object.hasOwn(record, column) ? record[column] : undefined
  if (value === undefined || value === null || value === false) return true
  return typeof value === 'string' && /^\s*$|^\\N$|^NULL$/.test(value)
}

/** The entries of an import that begins again. */
export const uncounted = (ignored: readonly Ignored[]): readonly Ignored[] =>
  ignored.map(each => ({ ...each, rows: each.rows === null ? null : 0 }))
