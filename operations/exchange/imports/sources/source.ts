/** A source declares how a product's file is read. One row each in `index.ts`. */
import type { Sentence } from '../../../../runtime/texts/message.ts'
import type { ImportedRow } from '../../../../storage/tables/imported-families.ts'
import type { JsonObject } from '../../../sites/collection/index.ts'
import type { FieldMap } from '../fields.ts'
import type { Recorded } from '../record.ts'
import type { Archive, Part } from './archive.ts'

/** A part of the file that the import leaves out. */
export interface Ignored {
  readonly what: string
  readonly why: Sentence
}

/** A record of the product in our fields (`fields.ts`): several hits, none if it is skipped, or why it is refused. */
export type Converted = readonly JsonObject[] | string

export interface HitSource {
  readonly kind: 'hits'
  readonly title: string
  /** The part with the records. @throws JobFailure where the file is not the product's */
  part(archive: Archive): Part
  /** How its records are read, unless they come as Parquet; default by the name of the part. */
  readonly format?: 'csv' | 'ndjson' | 'objects'
  /**
   * The columns of a CSV or of Parquet: what of them is left out.
   * @throws JobFailure naming a column that is missing
   */
  header(columns: readonly string[], map: Partial<FieldMap>): readonly Ignored[]
  /**
   * Reads further files of the archive that describe its records. @returns a function that adds their data to a record
   * @throws JobFailure if they are too large to be held in memory
   */
  readonly beside?: (archive: Archive) => Promise<(record: JsonObject) => JsonObject>
  /** Null: the records are in our fields. */
  readonly convert: ((record: JsonObject) => Converted) | null
}

/** A row of totals or a fault, with its place in the file. */
export type TotalsRead =
  | { readonly file: string; readonly line: number; readonly rows: readonly ImportedRow[] }
  | { readonly file: string; readonly line: number; readonly fault: string; readonly text: string }

export interface TotalsSource {
  readonly kind: 'aggregates'
  readonly title: string
  /**
   * The rows in the order of the file, the same each time. Called with each thing that is left out, once.
   * @throws JobFailure where the file is not the product's
   */
  read(archive: Archive, onIgnored: (ignored: Ignored) => void): AsyncGenerator<TotalsRead[]>
}

export type Source = HitSource | TotalsSource

/** Text of a refused line that is kept. */
export const REFUSED_TEXT = 500

/** The text of a record as it is shown beside its fault. */
export const textOfRecord = (recorded: Recorded): string =>
  ('record' in recorded ? JSON.stringify(recorded.record) : (recorded.text ?? '')).slice(0, REFUSED_TEXT)
