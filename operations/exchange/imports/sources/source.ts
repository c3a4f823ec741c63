/** A source declares how to read a product's file. Each has one row in `index.ts`. */
import type { ImportedRow } from '../../../../storage/tables/imported-families.ts'
import type { JsonObject } from '../../../sites/collection/index.ts'
import type { FieldMap } from '../fields.ts'
import type { Ignored, LeaveOut, Omission } from '../left-out.ts'
import type { Names } from '../names/names.ts'
import type { Recorded } from '../record.ts'
import type { Archive, Part } from './archive.ts'

/** A record of the product in Footfall's fields (`fields.ts`): several hits, none if it is skipped, or the reason of its refusal. */
export type Converted = readonly JsonObject[] | string

export interface HitSource {
  readonly kind: 'hits'
  readonly title: string
  /** The part with the records. @throws JobFailure if the file does not belong to the product */
  part(archive: Archive): Part
  /** How its records are read, unless they come as Parquet; defaults to the format of the part's name. */
  readonly format?: 'csv' | 'ndjson' | 'objects' | 'log'
  /**
   * The columns of a CSV or of Parquet: ignored ones.
   * @throws JobFailure naming a column that is missing
   */
  header(columns: readonly string[], map: Partial<FieldMap>): readonly Omission[]
  /**
   * Reads further files of the archive that describe its records. @returns a function that adds their data to a record
   * @param onIgnored receives each file that is left out, and each that has broken lines
   * @throws JobFailure if they are too large to be held in memory
   */
  readonly beside?: (archive: Archive, onIgnored: (ignored: Ignored) => void) => Promise<(record: JsonObject) => JsonObject>
  /** The product's names of browsers, systems and devices; defaults to names that mean the same in every product. */
  readonly names?: Names
  /** Null if the records already have Footfall's fields. Everything else is left out by name. */
  readonly convert: ((record: JsonObject, leaveOut: LeaveOut) => Converted) | null
  /** The field of a record that lists its hits, if it lists several. A faulty hit is left out of it, and the others are imported. */
  readonly list?: string
}

/** A row of totals or a fault, with its place in the file. */
export type TotalsRead =
  | { readonly file: string; readonly line: number; readonly rows: readonly ImportedRow[]; readonly left?: readonly Omission[] }
  | { readonly file: string; readonly line: number; readonly fault: string; readonly text: string }

export interface TotalsSource {
  readonly kind: 'aggregates'
  readonly title: string
  /**
   * The rows in the order of the file, the same each time. Calls back once for each ignored file or column; rows that have such a column name it in `left`.
   * @throws JobFailure if the file does not belong to the product
   */
  read(archive: Archive, onIgnored: (ignored: Ignored) => void): AsyncGenerator<TotalsRead[]>
}

export type Source = HitSource | TotalsSource

/** Stored characters of a refused line, at most. */
export const REFUSED_TEXT = 500

/** The text of a record as it is shown next to its fault. */
export const textOfRecord = (recorded: Recorded): string =>
  ('record' in recorded ? JSON.stringify(recorded.record) : (recorded.text ?? '')).slice(0, REFUSED_TEXT)
