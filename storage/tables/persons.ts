/** Persons whom a site identifies itself, with its visitors' consent (docs/privacy.md). */
import { text, int, instant, json, nullable, unique } from '../schema/column.ts'
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
  },
  { key: ['site_id', 'person'], unique: [['site_id', 'hash']], indexes: [['site_id', 'last_at']] },
)
export type PersonRow = Row<typeof persons>
