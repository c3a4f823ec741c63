/** Links that show reports of a site to people without an account. */

export interface SharedLinkRow {
  id: string
  site_id: string
  slug: string
  name: string
  /** Argon2id, in the PHC form; null without a password. */
  password_hash: string | null
  expires_at: number | null
  /** No foreign key: a link whose segment is gone shows nothing, where one without a segment would show everything. */
  segment_id: string | null
  /** Names of reports, JSON; a dashboard stands among them as `{"dashboard_id": "dash_…"}`. */
  reports: string
  /** Names of dimensions, JSON; an empty list for all. */
  dimensions: string
  max_days: number | null
  show_revenue: number
  allow_export: number
  /** Origins, JSON. */
  embed_origins: string
  theme: string
  views: number
  last_viewed_at: number | null
  created_at: number
  updated_at: number
}

/** The credential, good for an hour, of somebody who has opened a link or a public site. */
export interface ShareTokenRow {
  id: string
  /** SHA-256 of the secret, hex. */
  hash: string
  site_id: string
  /** Null for a public site. */
  link_id: string | null
  expires_at: number
  created_at: number
}

declare module './index.ts' {
  interface Tables {
    shared_links: SharedLinkRow
    share_tokens: ShareTokenRow
  }
}
