/** Persons whom a site identifies itself, with its visitors' consent (docs/privacy.md). */
import { text, int, instant, day, json, nullable, unique, withDefault } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const persons = table(
  {
    /** `sites.number` */
    site_id: int,
    /** From 1 for each site, in the order in which they were first identified. */
    person: int,
    id: unique(text),
    /** HMAC of the id that the site sends, with the key of the site. Another text while the person is deleted. */
    hash: text,
    /** The id itself; null unless the site keeps it. */
    name: nullable(text),
    /** JSON: for each trait its value, and when it was sent. */
    traits: json,
    first_at: instant,
    last_at: instant,
    /** Number in the site into which this one is being merged; 0 until the person is there. */
    moved_to: withDefault(int, 0),
  },
  { key: ['site_id', 'person'], unique: [['site_id', 'hash']], indexes: [['site_id', 'last_at']] },
)
export type PersonRow = Row<typeof persons>

/** A person whose visits are being deleted, or were. Nothing else is kept of them. */
export const person_deletions = table(
  {
    /** `sites.number` */
    site_id: int,
    /** No new person gets the number before the deletion has finished. */
    person: int,
    id: unique(text),
    /** Numbers of what was deleted so far. */
    visits: int,
    hits: int,
    /** The first day that may still have visits of the person; null until the search begins. */
    next_day: nullable(day),
    /** Percent of the days searched. */
    progress: int,
    requested_at: instant,
    finished_at: nullable(instant),
  },
  { key: ['site_id', 'person', 'requested_at'] },
)
export type PersonDeletionRow = Row<typeof person_deletions>
