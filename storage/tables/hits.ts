/** Hits, visits, and the dictionaries of their texts. */
import type { Generated } from 'kysely'

export interface DictRow {
  site_id: number
  dim: number
  id: number
  value: string
}

export interface SaltRow {
  site_id: number
  day: number
  salt: string
}

export interface SiteDayRow {
  site_id: number
  /** Local day number: days since 1970-01-01 in the site's time zone. */
  day: number
  starts_at: number
  ends_at: number
  /** Visitors are numbered from 1 in the order of their first visits. */
  next_visitor: number
  /** The next `seq` of vitals and clicks without a visit: their `visit_id` is 0. */
  next_loose: number
  /** Increases with every change of the day. */
  rev: number
  sealed_rev: number
  /** Until when a worker has claimed it to seal it, epoch ms. */
  sealing_until: Generated<number>
  /** The copy in ClickHouse that has its rows, which are then not here (docs/clickhouse.md §3); 0: they are here. */
  moved: Generated<number>
}

export interface VisitorRow {
  site_id: number
  day: number
  hash: string
  visitor: number
}

/**
 * The dimensions of a visit, each a column of ids: the number of its dictionary (`dict.dim`), and of its column in a
 * sealed day (`segment_cols.col`). Both are stored: add rows, but never renumber them.
 */
export const visitDimensionNumbers = Object.freeze({
  entry_page: { dictionary: 1, column: 20 },
  exit_page: { dictionary: 1, column: 21 },
  channel: { dictionary: 5, column: 22 },
  source: { dictionary: 6, column: 23 },
  referrer: { dictionary: 7, column: 24 },
  utm_source: { dictionary: 8, column: 25 },
  utm_medium: { dictionary: 9, column: 26 },
  utm_campaign: { dictionary: 10, column: 27 },
  utm_content: { dictionary: 11, column: 28 },
  utm_term: { dictionary: 12, column: 29 },
  country: { dictionary: 13, column: 30 },
  region: { dictionary: 14, column: 31 },
  city: { dictionary: 15, column: 32 },
  browser: { dictionary: 16, column: 33 },
  browser_version: { dictionary: 17, column: 34 },
  os: { dictionary: 18, column: 35 },
  os_version: { dictionary: 19, column: 36 },
  device: { dictionary: 20, column: 37 },
  screen: { dictionary: 21, column: 38 },
  language: { dictionary: 22, column: 39 },
  hostname: { dictionary: 23, column: 40 },
  custom_channel: { dictionary: 24, column: 41 },
})

export type VisitDimension = keyof typeof visitDimensionNumbers
export const visitDimensions = Object.keys(visitDimensionNumbers) as readonly VisitDimension[] // a literal's own keys

export interface VisitRow extends Record<VisitDimension, number> {
  site_id: number
  day: number
  /** visitor · 256 + visit number. */
  visit_id: number
  started_at: number
  /** From the first to the last activity, ms. */
  duration: number
  pageviews: number
  events: number
  /** 1: fewer than two pageviews and no interactive event. */
  bounce: number
  /** Minor units of the site's currency. */
  revenue: number
  /** From the start to the first and to the last pageview, ms: needed to place late hits among them. */
  entry_after: number
  exit_after: number
  /** Rows of hits, vitals and clicks are numbered from 0 in order of arrival. */
  next_seq: number
  /** When its last engagement came, epoch ms; 0 for none, and for visits from before this was known. */
  attended_at: number
  /** The day's `rev` at the latest change of the visit or its hits. */
  rev: number
}

export interface HitRow {
  site_id: number
  day: number
  visit_id: number
  /** Unique within the visit. Hits are ordered by (at, seq). */
  seq: number
  at: number
  page: number
  /** 0 is a pageview. */
  event: number
  interactive: number
  revenue: number
  engaged_ms: number
  scroll: number
}

export interface HitPropRow {
  site_id: number
  day: number
  event: number
  key: number
  visit_id: number
  seq: number
  value: number
  /** The value as a number, if it is one. */
  num: number | null
}

export interface VitalRow {
  site_id: number
  day: number
  page: number
  metric: string
  visit_id: number
  seq: number
  /** ms; thousandths of the score for cls. */
  value: number
  device: number
}

export interface ClickRow {
  site_id: number
  day: number
  page: number
  visit_id: number
  seq: number
  selector: number
  x: number
  y: number
}

/** Hits that were not stored, by reason. `site_id` 0: unknown site. */
export interface DropRow {
  site_id: number
  day: number
  reason: string
  count: number
}

/** Texts first seen on a day, by dictionary (`dim`), while the day can receive hits. */
export interface NewTextRow {
  site_id: number
  day: number
  dim: number
  count: number
}

/** A copy of a day in ClickHouse. */
export interface ClickhouseCopyRow {
  site_id: number
  day: number
  copy: number
  /** When it is to be deleted, epoch ms; null while a day counts on it. */
  drop_at: number | null
  /** Its rows are being read in the database, and not moved until then, epoch ms. */
  keep_until: number
  /** 1: the day's rows were deleted here. */
  emptied: number
  visits: number
  /** Pageviews and events. */
  hits: number
  /** Epoch ms: the first start of its visits, the last hit, the last end. */
  first_at: number
  last_at: number
  ended_at: number
}

export interface HitsTables {
  clickhouse_copies: ClickhouseCopyRow
  dict: DictRow
  salts: SaltRow
  site_days: SiteDayRow
  visitors: VisitorRow
  visits: VisitRow
  hits: HitRow
  hit_props: HitPropRow
  vitals: VitalRow
  clicks: ClickRow
  drops: DropRow
  new_texts: NewTextRow
}
