/** Campaigns, and the links that lead to them. */
import { text, bigint, instant, reference, nullable, unique } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const campaigns = table(
  {
    id: text,
    site_id: reference('sites'),
    name: text,
    utm_campaign: text,
    /** Calendar days of the site. */
    starts_on: nullable(text),
    ends_on: nullable(text),
    cost_cents: nullable(bigint),
    goal_id: nullable(reference('goals', { onDelete: 'set null' })),
    created_at: instant,
    updated_at: instant,
  },
  { unique: [['site_id', 'utm_campaign']], indexes: [['goal_id']] },
)
export type CampaignRow = Row<typeof campaigns>

export const campaign_links = table(
  {
    id: text,
    site_id: reference('sites'),
    slug: unique(text),
    url: text,
    utm_source: nullable(text),
    utm_medium: nullable(text),
    utm_campaign: nullable(text),
    utm_content: nullable(text),
    utm_term: nullable(text),
    clicks: bigint,
    last_clicked_at: nullable(instant),
    created_at: instant,
    updated_at: instant,
  },
  { indexes: [['site_id']] },
)
export type CampaignLinkRow = Row<typeof campaign_links>

/** A host that short links of the workspace may lead to, in addition to the domains of its sites. */
export const link_hosts = table(
  {
    id: text,
    workspace_id: reference('workspaces'),
    /** In lower case and ASCII, without `www.`, with a port that is not the default, like the domain of a site. */
    host: text,
    created_at: instant,
  },
  { unique: [['workspace_id', 'host']] },
)
export type LinkHostRow = Row<typeof link_hosts>
