/** Settings of each site's tracking script. Every site has a row. */
import { text, instant, flag, json, reference, nullable, unique } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const site_tracking = table(
  {
    site_id: reference('sites'),
    /** Path without slash and extension; changes when it is rotated. */
    script_path: unique(text),
    hash: flag,
    outbound_links: flag,
    downloads: flag,
    /** JSON list; empty for the default extensions. */
    download_extensions: json,
    forms: flag,
    clicks: flag,
    vitals: flag,
    respect_dnt: flag,
    /** JSON lists of path patterns with `*`. */
    include: json,
    exclude: json,
    /** The secret with which a page is opened, to check that the script runs on it. */
    nonce: nullable(text),
    nonce_expires_at: nullable(instant),
    /** When the script last confirmed a nonce. */
    confirmed_at: nullable(instant),
    updated_at: instant,
  },
  { key: ['site_id'] },
)
export type SiteTrackingRow = Row<typeof site_tracking>
