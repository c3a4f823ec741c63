/** Links that show reports of a site to people without an account. */
import { text, int, bigint, instant, flag, json, reference, nullable, unique } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const shared_links = table(
  {
    id: text,
    site_id: reference('sites'),
    slug: unique(text),
    name: text,
    /** Argon2id, in the PHC form; null without a password. */
    password_hash: nullable(text),
    expires_at: nullable(instant),
    /** No foreign key: a link whose segment is gone shows nothing, where one without a segment would show everything. */
    segment_id: nullable(text),
    /** Names of reports, JSON; a dashboard stands among them as `{"dashboard_id": "dash_…"}`. */
    reports: json,
    /** Names of dimensions, JSON; an empty list for all. */
    dimensions: json,
    max_days: nullable(int),
    show_revenue: flag,
    allow_export: flag,
    /** Origins, JSON. */
    embed_origins: json,
    theme: text,
    views: bigint,
    last_viewed_at: nullable(instant),
    created_at: instant,
    updated_at: instant,
  },
  { indexes: [['site_id']] },
)
export type SharedLinkRow = Row<typeof shared_links>

/** The credential, good for an hour, of somebody who has opened a link or a public site. */
export const share_tokens = table(
  {
    id: text,
    /** SHA-256 of the secret, hex. */
    hash: unique(text),
    site_id: reference('sites'),
    /** Null for a public site. */
    link_id: nullable(reference('shared_links')),
    expires_at: instant,
    created_at: instant,
  },
  { indexes: [['site_id'], ['link_id']] },
)
export type ShareTokenRow = Row<typeof share_tokens>
