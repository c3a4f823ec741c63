/** A campaign describes a `utm_campaign`; a campaign link is a tagged URL with a short URL. */
import { Type } from '@sinclair/typebox'
import { idKind } from '../../../runtime/values/ids.ts'
import { CalendarDay, DateTime, iso, Nullable, record, type Static } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { CampaignLinkRow, CampaignRow, LinkHostRow } from '../../../storage/tables/campaigns.ts'
import { type LiveSite, ofSite } from '../../sites/sites/records.ts'
import { Period } from '../stats/records.ts'
import { tagged, tagNames } from './tagged.ts'

export const ids = { campaign: idKind('cmp_'), campaign_link: idKind('lnk_'), link_host: idKind('lho_') }

export const Campaign = record(
  'Campaign',
  {
    id: Type.String({ description: 'Prefix `cmp_`.' }),
    site_id: Type.String({ description: 'Site of the campaign.' }),
    name: Type.String({ description: 'Name in reports.' }),
    utm_campaign: Type.String({ description: 'Value of `utm_campaign` of its visits.' }),
    starts_on: Nullable(CalendarDay(), { description: 'First day.' }),
    ends_on: Nullable(CalendarDay(), { description: 'Last day.' }),
    cost_cents: Nullable(Type.Integer({ unit: 'minor_units' }), { description: 'Total cost, in minor units of `currency`.' }),
    currency: Type.String({ description: 'ISO 4217 currency of the site, and so of the cost.' }),
    goal_id: Nullable(Type.String(), { description: 'Goal that counts as a conversion.' }),
    created_at: DateTime({ description: 'When the campaign was created.' }),
    updated_at: DateTime({ description: 'When the campaign was last changed.' }),
  },
  'A campaign: name, cost and goal of a `utm_campaign`.',
)

export const CampaignLink = record(
  'CampaignLink',
  {
    id: Type.String({ description: 'Prefix `lnk_`.' }),
    site_id: Type.String({ description: 'Site of the link.' }),
    url: Type.String({ description: 'Target page.' }),
    slug: Type.String({ description: 'Last segment of the short URL.' }),
    ...Object.fromEntries(tagNames.map(name => [name, Nullable(Type.String(), { description: `\`${name}\` that the link adds.` })])),
    tagged_url: Type.String({ description: 'URL of the page with the tags.' }),
    short_url: Type.String({ description: 'Short URL, which counts the click and redirects to `tagged_url`.' }),
    clicks: Type.Integer({ unit: 'count', description: 'How often the short URL was opened, without bots.' }),
    last_clicked_at: Nullable(DateTime(), { description: 'Time of the latest click.' }),
    created_at: DateTime({ description: 'When the link was created.' }),
    updated_at: DateTime({ description: 'When the link was last changed.' }),
  } as LinkFields,
  'A tagged URL, with a short URL that counts its clicks.',
)
type Text = ReturnType<typeof Type.String>
type LinkFields = Record<'id' | 'site_id' | 'url' | 'slug' | 'tagged_url' | 'short_url', Text> &
  Record<(typeof tagNames)[number], ReturnType<typeof Nullable<Text>>> & {
    clicks: ReturnType<typeof Type.Integer>
    last_clicked_at: ReturnType<typeof Nullable<Text>>
    created_at: Text
    updated_at: Text
  }

export const CampaignResult = record(
  'CampaignResult',
  {
    campaign_id: Nullable(Type.String(), { description: 'The campaign; null for a value without a campaign.' }),
    name: Type.String({ description: 'Name of the campaign; otherwise, the value.' }),
    utm_campaign: Type.String({ description: 'Value of `utm_campaign`.' }),
    visitors: Type.Integer({ unit: 'count', description: 'Number of visitors.' }),
    visits: Type.Integer({ unit: 'count', description: 'Number of visits.' }),
    revenue: Type.Integer({ unit: 'minor_units', description: 'Revenue of these visits.' }),
    conversions: Nullable(Type.Integer({ unit: 'count' }), {
      description: 'Visits that completed the campaign’s goal; null without a goal.',
    }),
    conversion_rate: Nullable(Type.Number({ unit: 'percent' }), { description: 'Share of visits that completed the goal, in percent.' }),
    cost_cents: Nullable(Type.Integer({ unit: 'minor_units' }), {
      description:
        'Cost in the period, by the share of the campaign’s days in it; null with a filter on anything other than `utm_campaign`.',
    }),
    cost_per_conversion_cents: Nullable(Type.Integer({ unit: 'minor_units' }), { description: 'Cost per conversion.' }),
    return_rate: Nullable(Type.Number({ unit: 'percent' }), { description: 'Revenue minus cost, in percent of the cost.' }),
  },
  'Results of a campaign.',
)

export const CampaignReport = record(
  'CampaignReport',
  { period: Period, rows: Type.Array(CampaignResult, { description: 'Campaigns, most visits first, including those without visits.' }) },
  'Results of the campaigns of a site.',
)

export const LinkHost = record(
  'LinkHost',
  {
    id: Type.String({ description: 'Prefix `lho_`.' }),
    workspace_id: Type.String({ description: 'Workspace of the host.' }),
    host: Type.String({ description: 'Host that short links may redirect to, without `www.`.' }),
    created_at: DateTime({ description: 'When the host was added.' }),
  },
  'A host that short links of the workspace may redirect to, in addition to the domains of its sites.',
)

export const campaign = subject<'campaign', CampaignRow>({ name: 'campaign', table: 'campaigns', find: ofSite('campaigns') })
export const campaignLink = subject<'campaign_link', CampaignLinkRow>({
  name: 'campaign_link',
  table: 'campaign_links',
  calledBy: 'slug',
  find: ofSite('campaign_links'),
})

export const linkHost = subject<'link_host', LinkHostRow>({
  name: 'link_host',
  calledBy: 'host',
  async find(db, id) {
    const row = await db.selectFrom('link_hosts').selectAll().where('id', '=', id).executeTakeFirst()
    return row && { row, workspaceId: row.workspace_id, siteId: null, unrestricted: true }
  },
})

export const toLinkHost = ({ created_at, ...row }: LinkHostRow): Static<typeof LinkHost> => ({ ...row, created_at: iso(created_at) })

export function toCampaign(row: CampaignRow, { currency }: Pick<LiveSite, 'currency'>): Static<typeof Campaign> {
  return {
    id: row.id,
    site_id: row.site_id,
    name: row.name,
    utm_campaign: row.utm_campaign,
    starts_on: row.starts_on,
    ends_on: row.ends_on,
    cost_cents: row.cost_cents,
    currency,
    goal_id: row.goal_id,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}

export function toCampaignLink(row: CampaignLinkRow, baseUrl: string): Static<typeof CampaignLink> {
  return {
    id: row.id,
    site_id: row.site_id,
    url: row.url,
    slug: row.slug,
    utm_source: row.utm_source,
    utm_medium: row.utm_medium,
    utm_campaign: row.utm_campaign,
    utm_content: row.utm_content,
    utm_term: row.utm_term,
    tagged_url: tagged(row),
    short_url: `${baseUrl}/l/${row.slug}`,
    clicks: row.clicks,
    last_clicked_at: iso(row.last_clicked_at),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}
