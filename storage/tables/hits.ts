/** Hits, visits, and the dictionaries of their texts. */
import { text, int, bigint, real, instant, day, flag, nullable, withDefault } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'
import { visitDimensionColumns } from './visit-dimensions.ts'

export const dict = table(
  {
    site_id: int,
    dim: int,
    id: int,
    value: text,
  },
  { key: ['site_id', 'dim', 'id'], clustered: true, unique: [['site_id', 'dim', 'value']] },
)
export type DictRow = Row<typeof dict>

/** Texts of erased rows, until it is known whether other rows have them (`storage/hits/forget-texts.ts`). */
export const erased_texts = table(
  {
    site_id: int,
    dim: int,
    id: int,
    /**
     * Number of the search (`sites.texts_forgotten`) from which on every writer of hits looks the text up again, and then deletes
     * this row; 0 before, -1 if rows have moved to another day meanwhile.
     */
    watch: int,
  },
  { key: ['site_id', 'dim', 'id'], clustered: true },
)
export type ErasedTextRow = Row<typeof erased_texts>

export const salts = table(
  {
    site_id: int,
    day: day,
    salt: text,
  },
  { key: ['site_id', 'day'], clustered: true },
)
export type SaltRow = Row<typeof salts>

export const site_days = table(
  {
    site_id: int,
    /** Local day number: days since 1970-01-01 in the site's time zone. */
    day: day,
    starts_at: instant,
    ends_at: instant,
    /** The next number of a visitor. Visitors are numbered from 1 in the order of their first visits. */
    next_visitor: int,
    /** The next `seq` of vitals and clicks without a visit, whose `visit_id` is 0. */
    next_loose: int,
    /** Increases with every change of the day. */
    rev: int,
    sealed_rev: int,
    /** End of the claim of the worker that seals the day; 0 for none. */
    sealing_until: withDefault(instant, 0),
    /** The copy that has the rows of the day: `clickhouse_copies.copy`. 0 if the tables have them. */
    moved: withDefault(bigint, 0),
  },
  {
    key: ['site_id', 'day'],
    clustered: true,
    indexes: [
      { name: 'site_days_unsealed', on: ['ends_at'], where: 'sealed_rev <> rev' },
      { name: 'site_days_moved', on: ['site_id', 'day'], where: 'moved <> 0' },
      { name: 'site_days_unmoved', on: ['ends_at'], where: 'moved = 0' },
    ],
  },
)
export type SiteDayRow = Row<typeof site_days>

export const visitors = table(
  {
    site_id: int,
    day: day,
    hash: text,
    visitor: int,
  },
  { key: ['site_id', 'day', 'hash'], clustered: true },
)
export type VisitorRow = Row<typeof visitors>

export const visits = table(
  {
    site_id: int,
    day: day,
    /** Number of the visitor · 256 + number of the visit. */
    visit_id: bigint,
    started_at: instant,
    /** From the first to the last activity, ms. */
    duration: int,
    pageviews: int,
    events: int,
    /** 1 if the visit has fewer than two pageviews and no interactive event. */
    bounce: flag,
    ...visitDimensionColumns,
    /** Minor units of the site's currency. */
    revenue: bigint,
    /** Milliseconds from the start to the first and to the last pageview, to place late hits among them. */
    entry_after: int,
    exit_after: int,
    /** The next `seq`. Rows of hits, vitals and clicks are numbered from 0 in order of arrival. */
    next_seq: int,
    /** Time of the last engagement; 0 for none, and for visits from before the column. */
    attended_at: withDefault(instant, 0),
    /** Number of the person to whom the visit belongs (`persons.person`); 0 if it is not identified. */
    person: withDefault(int, 0),
    /** Milliseconds from the start to the hit that identified the person, to place late hits among them. */
    person_after: withDefault(int, 0),
    /** The day's `rev` at the latest change of the visit or its hits. */
    rev: withDefault(int, 0),
  },
  { key: ['site_id', 'day', 'visit_id'], clustered: true },
)
export type VisitRow = Row<typeof visits>

export const hits = table(
  {
    site_id: int,
    day: day,
    visit_id: bigint,
    /** Unique within the visit. Hits are ordered by (at, seq). */
    seq: int,
    at: instant,
    page: int,
    /** Id of the event's name; 0 for a pageview. */
    event: int,
    interactive: flag,
    revenue: bigint,
    engaged_ms: int,
    scroll: int,
    /** Host of the page, an id of the dictionary of `hostname`; 0: as of the visit, and for hits from before the column. */
    host: withDefault(int, 0),
  },
  { key: ['site_id', 'day', 'visit_id', 'seq'], clustered: true },
)
export type HitRow = Row<typeof hits>

export const hit_props = table(
  {
    site_id: int,
    day: day,
    event: int,
    key: int,
    visit_id: bigint,
    seq: int,
    value: int,
    /** The value as a number; null for other values. */
    num: nullable(real),
  },
  { key: ['site_id', 'day', 'event', 'key', 'visit_id', 'seq'], clustered: true },
)
export type HitPropRow = Row<typeof hit_props>

export const vitals = table(
  {
    site_id: int,
    day: day,
    page: int,
    metric: text,
    visit_id: bigint,
    seq: int,
    /** In ms, and for `cls` in thousandths of the score. */
    value: int,
    device: int,
  },
  { key: ['site_id', 'day', 'page', 'metric', 'visit_id', 'seq'], clustered: true },
)
export type VitalRow = Row<typeof vitals>

export const clicks = table(
  {
    site_id: int,
    day: day,
    page: int,
    visit_id: bigint,
    seq: int,
    selector: int,
    x: int,
    y: int,
  },
  { key: ['site_id', 'day', 'page', 'visit_id', 'seq'], clustered: true },
)
export type ClickRow = Row<typeof clicks>

/** Counts of hits that were not stored, by reason. `site_id` is 0 for an unknown site. */
export const drops = table(
  {
    site_id: int,
    day: day,
    reason: text,
    count: int,
  },
  { key: ['site_id', 'day', 'reason'], clustered: true },
)
export type DropRow = Row<typeof drops>

/** Counts of texts that were new on a day, by dictionary (`dim`), while the day can receive hits. */
export const new_texts = table(
  {
    site_id: int,
    day: day,
    dim: int,
    count: int,
  },
  { key: ['site_id', 'day', 'dim'], clustered: true },
)
export type NewTextRow = Row<typeof new_texts>

/** A copy of a day outside of the tables of rows. The table has the name of the place where the first copies were. */
export const clickhouse_copies = table(
  {
    site_id: int,
    day: day,
    /** In ClickHouse. Below 0: in `day_blocks`, of the `rev` that is one less than the positive number. */
    copy: bigint,
    /** When the copy is to be deleted; null while a day uses it. */
    drop_at: nullable(instant),
    /** Until this time the rows are read in the database and are not moved. */
    keep_until: instant,
    /** 1 if the rows of the day were deleted from this database. */
    emptied: flag,
    visits: int,
    /** Pageviews and events. */
    hits: int,
    /** The first start of a visit, the last hit, and the last end of a visit. */
    first_at: instant,
    last_at: instant,
    ended_at: instant,
  },
  {
    key: ['site_id', 'day', 'copy'],
    indexes: [
      { name: 'clickhouse_copies_drop_at', on: ['drop_at'], where: 'drop_at is not null' },
      { name: 'clickhouse_copies_full', on: ['site_id', 'day'], where: 'emptied = 0 and drop_at is null' },
    ],
  },
)
export type ClickhouseCopyRow = Row<typeof clickhouse_copies>

/** How far each writer of hits came, so that each batch is stored once. */
export const hit_writers = table(
  {
    /** A lane of a process, or a file of hits that waited for the database (`spool-file.ts`). */
    writer: text,
    /** Number of its last batch, or of the last record of the file. */
    position: bigint,
    updated_at: instant,
  },
  { key: ['writer'] },
)
export type HitWriterRow = Row<typeof hit_writers>
