/** Imports of files, by the command or the API, with the totals that they brought; and exports. */
import { type Column, text, int, bigint, instant, day, flag, json, reference, nullable, withDefault } from '../schema/column.ts'
import { addedTexts, type Family, type FamilyName, familyNames, imported } from './imported-families.ts'
import { type Row, type Table, table } from '../schema/table.ts'

/** The progress of an imported file, written with its hits. */
export const hit_imports = table(
  {
    site_id: int,
    /** SHA-256 of the file, hex. */
    fingerprint: text,
    /** Options for reading its fields, JSON. */
    options: json,
    /** Number of records read so far, including refused ones. */
    records: int,
    hits: int,
    refused: int,
    /** Number of hits stored without their revenue, which was in another currency. */
    moneyless: int,
    started_at: instant,
    updated_at: instant,
    finished_at: nullable(instant),
  },
  { key: ['site_id', 'fingerprint'], clustered: true },
)
export type HitImportRow = Row<typeof hit_imports>

/** A day of a file that the command imported as raw hits, with its first and its last hit. */
export const hit_import_days = table(
  {
    site_id: int,
    fingerprint: text,
    day: day,
    first_at: instant,
    last_at: instant,
  },
  { key: ['site_id', 'fingerprint', 'day'], clustered: true },
)

/** One of the first refused lines. */
export const hit_import_refusals = table(
  {
    site_id: int,
    fingerprint: text,
    line: int,
    reason: text,
  },
  { key: ['site_id', 'fingerprint', 'line'], clustered: true },
)
export type HitImportRefusalRow = Row<typeof hit_import_refusals>

/** Columns that all jobs have. */
const job = {
  /** The account that made the job and receives its result; null for the command line, and once the account is deleted. */
  created_by: nullable(reference('accounts', { onDelete: 'set null' })),
  status: text,
  /** Percent. */
  progress: int,
  error_code: nullable(text),
  error_message: nullable(text),
  started_at: nullable(instant),
  finished_at: nullable(instant),
  created_at: instant,
  updated_at: instant,
}

/** An import by the API. `rows_read` is its position, written in the transaction that stores the rows. */
export const imports = table(
  {
    id: text,
    workspace_id: text,
    site_id: reference('sites'),
    source: text,
    kind: text,
    filename: text,
    /** JSON object from a field to the column of the file. */
    map: json,
    timezone: text,
    /** The only days to import, both included; null for no limit. */
    from_day: nullable(day),
    to_day: nullable(day),
    dry_run: flag,
    /** How to treat days that an earlier import of the source has: refuse, skip, replace or add. */
    overlap: withDefault(text, 'refuse'),
    /** Size that the upload, or the server with the file, announced. */
    bytes: nullable(bigint),
    /** Sealed address to fetch the file from, as it may contain a key; null for an upload, and once the file is fetched. */
    url: nullable(text),
    /** The address without its query, to show. */
    url_shown: nullable(text),
    /** The server's validator of the file, with which an interrupted fetch requests the remainder. */
    url_tag: nullable(text),
    /** The request that uploads the file, and the end of its lease; null if there is none. */
    upload_by: nullable(text),
    upload_until: nullable(instant),
    /** SHA-256 of the file, hex; null until it is started. */
    fingerprint: nullable(text),
    /** First and last day of its rows. */
    first_day: nullable(day),
    last_day: nullable(day),
    rows_read: int,
    rows_taken: int,
    rows_refused: int,
    /** JSON list of the parts of the file that the import leaves out. */
    ignored: json,
    /** Dimensions that its totals have, JSON; null for hits, and for totals of before this column. */
    holds: nullable(json),
    /** 1 if the import is deleted and its data is being removed. */
    removing: flag,
    ...job,
  },
  { indexes: [['site_id', 'created_at'], ['status'], ['created_by']] },
)
export type ImportRow = Row<typeof imports>

/** A day that received hits from an import. */
export const import_days = table(
  {
    import_id: reference('imports'),
    day: day,
    /** `site_days.rev` after the import's last write to the day. */
    rev: int,
    /** `site_days.next_visitor` after that write. */
    visitors: int,
    /** 0 if other hits were stored on the day before or meanwhile. */
    alone: flag,
    /** The first and the last hit of the file on the day; null for imports of before these columns. */
    first_at: nullable(instant),
    last_at: nullable(instant),
  },
  { key: ['import_id', 'day'], clustered: true },
)
export type ImportDayRow = Row<typeof import_days>

export const import_refusals = table(
  {
    import_id: reference('imports'),
    seq: int,
    /** The file inside an archive. */
    file: text,
    line: int,
    reason: text,
    text: text,
  },
  { key: ['import_id', 'seq'], clustered: true },
)
export type ImportRefusalRow = Row<typeof import_refusals>

/** The columns of a family: its texts, and its counts, which are null if the file does not know them. */
const ofFamily = ({ texts, counts }: Family): Readonly<Record<string, Column>> => ({
  ...Object.fromEntries(texts.map(name => [name, addedTexts.has(name) ? withDefault(text, '') : text])),
  ...Object.fromEntries(counts.map(name => [name, nullable(bigint)])),
})
const totals = { import_id: reference('imports'), day, seq: int }
/** Columns that steps of the schema name, as they came later. */
type Later = { sources: { channel: Column<string, true> }; locations: { city: Column<string, true> } }
type TotalsTables = {
  [F in FamilyName as `imported_${F}`]: Table<F extends keyof Later ? typeof totals & Later[F] : typeof totals>
}

/** The tables `imported_<family>`. Types name only the columns that all of them have, and later ones. */
export const importedTables = Object.fromEntries(
  familyNames.map(name => [
    `imported_${name}`,
    table({ ...totals, ...ofFamily(imported[name]) }, { key: ['import_id', 'day', 'seq'], clustered: true }),
  ]),
) as unknown as TotalsTables // one for each family

const exportJobs = table(
  {
    id: text,
    workspace_id: text,
    site_id: reference('sites'),
    kind: text,
    format: text,
    from_day: day,
    to_day: day,
    /** 1 to keep cells that a spreadsheet would run as formulas. */
    raw: flag,
    /** 1 if files in CSV begin with a byte order mark. */
    bom: withDefault(flag, 0),
    /** The given filters as JSON, the given segment, and the conditions and goals of both at that time; null for all data. */
    filters: nullable(json),
    segment_id: nullable(text),
    scope: nullable(text),
    rows_written: int,
    bytes: nullable(bigint),
    sha256: nullable(text),
    expires_at: nullable(instant),
    ...job,
  },
  { indexes: [['site_id', 'created_at'], ['status'], ['created_by']] },
)
export type ExportRow = Row<typeof exportJobs>
export { exportJobs as exports }
