/** How each site's script tracks. Every site has a row. */
import { text, instant, flag, json, reference, nullable, unique } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const site_tracking = table(
  {
    site_id: reference('sites'),
    /** Without slash and ending; changes when it is rotated. */
    script_path: unique(text),
    hash: flag,
    outbound_links: flag,
    downloads: flag,
    /** JSON list; empty for the usual. */
    download_extensions: json,
    forms: flag,
    clicks: flag,
    vitals: flag,
    respect_dnt: flag,
    /** JSON lists of paths with `*`. */
    include: json,
    exclude: json,
    /** The secret that a page is opened with to prove that the script runs there. */
    nonce: nullable(text),
    nonce_expires_at: nullable(instant),
    /** When the script last confirmed a nonce. */
    confirmed_at: nullable(instant),
    updated_at: instant,
  },
  { key: ['site_id'] },
)
export type SiteTrackingRow = Row<typeof site_tracking>
