/** How each site's script tracks. Every site has a row. */

export interface SiteTrackingRow {
  site_id: string
  /** Without slash and ending; changes when it is rotated. */
  script_path: string
  hash: number
  outbound_links: number
  downloads: number
  /** JSON list; empty for the usual. */
  download_extensions: string
  forms: number
  clicks: number
  vitals: number
  respect_dnt: number
  /** JSON lists of paths with `*`. */
  include: string
  exclude: string
  /** The secret that a page is opened with to prove that the script runs there. */
  nonce: string | null
  nonce_expires_at: number | null
  /** When the script last confirmed a nonce. */
  confirmed_at: number | null
  updated_at: number
}

declare module './index.ts' {
  interface Tables {
    site_tracking: SiteTrackingRow
  }
}
