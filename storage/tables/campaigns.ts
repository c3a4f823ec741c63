/** Campaigns, and the links that lead to them. */

export interface CampaignRow {
  id: string
  site_id: string
  name: string
  utm_campaign: string
  /** Calendar days of the site. */
  starts_on: string | null
  ends_on: string | null
  cost_cents: number | null
  goal_id: string | null
  created_at: number
  updated_at: number
}

export interface CampaignLinkRow {
  id: string
  site_id: string
  slug: string
  url: string
  utm_source: string | null
  utm_medium: string | null
  utm_campaign: string | null
  utm_content: string | null
  utm_term: string | null
  clicks: number
  last_clicked_at: number | null
  created_at: number
  updated_at: number
}

/** A host that short links of the workspace may lead to, besides the domains of its sites. */
export interface LinkHostRow {
  id: string
  workspace_id: string
  /** As the domain of a site is kept: in small letters and ASCII, without `www.`, with a port that is not the default. */
  host: string
  created_at: number
}

declare module './index.ts' {
  interface Tables {
    campaigns: CampaignRow
    campaign_links: CampaignLinkRow
    link_hosts: LinkHostRow
  }
}
