/** Links that show reports of a site to visitors without an account. */
import { text, int, bigint, instant, flag, json, reference, nullable, unique } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const shared_links = table(
  {
    id: text,
    site_id: reference('sites'),
    slug: unique(text),
    name: text,
    /** Argon2id in PHC format; null without a password. */
    password_hash: nullable(text),
    expires_at: nullable(instant),
    /** Not a foreign key: if the segment is deleted, the link shows nothing. With null, it would show all visits. */
    segment_id: nullable(text),
    /** JSON list of names of reports and of dashboards, as `{"dashboard_id": "dash_…"}`. */
    reports: json,
    /** JSON list of names of dimensions; empty for all. */
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

/** The credential of a visitor who opened a link or a public site, valid for an hour. */
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
