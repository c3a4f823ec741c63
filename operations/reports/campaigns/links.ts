import { Type } from '@sinclair/typebox'
import { fail, failWith, type Fault } from '../../../runtime/table/errors.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { Clearable, optional } from '../../../runtime/table/schema.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { checkedBy } from '../../../runtime/table/validate.ts'
import { countOf, pageOf } from '../../../storage/sql/page.ts'
import { isUniqueViolation } from '../../../storage/store.ts'
import { site } from '../../sites/sites/records.ts'
import { hostFaults } from './link-targets.ts'
import { CampaignLink, campaignLink, ids, toCampaignLink } from './records.ts'
import { fieldTerm } from '../../../runtime/texts/message.ts'
import { m } from './messages.ts'

/** Largest number of campaign links of a site. */
const MAX_LINKS = 1_000

const tag = (name: string) => Clearable(Type.String({ maxLength: 200 }), { description: `\`${name}\` to add.` })
const tags = {
  utm_source: optional(tag('utm_source')),
  utm_medium: optional(tag('utm_medium')),
  utm_campaign: optional(tag('utm_campaign')),
  utm_content: optional(tag('utm_content')),
  utm_term: optional(tag('utm_term')),
}
const url = Type.String({
  format: 'uri',
  maxLength: 1_500,
  description: 'Target page, with https:// or http://, on the domain of a site of the workspace or on one of its link hosts.',
  [checkedBy]: given => urlFaults(String(given)),
})

export const campaign_links_list = list({
  route: 'GET /sites/{site_id}/campaign_links',
  summary: 'List the campaign links of a site, with their clicks',
  empty: {
    says: 'A campaign link carries its campaign and counts its clicks, for posts, mails and QR codes.',
    like: [
      ['/l/spring', '→ /shop?utm_campaign=spring'],
      ['/l/flyer', '→ /events'],
    ],
  },
  description: 'Campaign links with their clicks, newest first.',
  place: 'campaigns',
  icon: 'source',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: {},
  of: CampaignLink,
  examples: [{ input: { site_id: '{{site}}' } }],
  async run({ db, site, page, config }) {
    const all = db.selectFrom('campaign_links').selectAll().where('site_id', '=', site.id)
    const { rows, total } = await pageOf(all.orderBy('created_at', 'desc').orderBy('id', 'desc'), page)
    return { rows: rows.map(row => toCampaignLink(row, config.BASE_URL)), total }
  },
})

export const campaign_links_create = operation({
  route: 'POST /sites/{site_id}/campaign_links',
  summary: 'Create a campaign link: a URL with tags, and a short URL',
  access: 'content.write',
  on: locked(site),
  effect: 'create',
  input: {
    url,
    ...tags,
    slug: optional(
      Type.String({
        pattern: '^[a-z0-9](?:[a-z0-9-]{1,58}[a-z0-9])$',
        maxLength: 60,
        description: 'Last segment of the short URL. Defaults to a random one.',
      }),
    ),
  },
  output: CampaignLink,
  examples: [
    {
      input: {
        site_id: '{{site}}',
        url: 'https://example.com/sale',
        utm_source: 'newsletter',
        utm_medium: 'email',
        utm_campaign: 'summer-26',
      },
    },
  ],
  async run({ db, site, input, now, newId, random, config }) {
    failWith(urlFaults(input.url, config.BASE_URL))
    failWith(await hostFaults(db, site.workspace_id, input.url))
    const count = await countOf(db.selectFrom('campaign_links').where('site_id', '=', site.id))
    if (count >= MAX_LINKS) fail('limit_reached', m.too_many_links({ most: MAX_LINKS }))
    const row = {
      id: newId(ids.campaign_link),
      site_id: site.id,
      slug: input.slug ?? slugOf(random(8)),
      url: input.url,
      utm_source: input.utm_source || null,
      utm_medium: input.utm_medium || null,
      utm_campaign: input.utm_campaign || null,
      utm_content: input.utm_content || null,
      utm_term: input.utm_term || null,
      clicks: 0,
      last_clicked_at: null,
      created_at: now,
      updated_at: now,
    }
    await db.insertInto('campaign_links').values(row).execute().catch(refuseTaken)
    return toCampaignLink(row, config.BASE_URL)
  },
})

export const campaign_links_get = operation({
  route: 'GET /sites/{site_id}/campaign_links/{id}',
  summary: 'Get a campaign link',
  access: 'analytics.read',
  on: [site, campaignLink],
  effect: 'read',
  input: {},
  output: CampaignLink,
  examples: [{ input: { site_id: '{{site}}', id: '{{campaign_link}}' } }],
  run: ({ campaign_link: row, config }) => toCampaignLink(row, config.BASE_URL),
})

export const campaign_links_update = operation({
  route: 'PATCH /sites/{site_id}/campaign_links/{id}',
  summary: 'Change the target or the tags of a campaign link',
  description: 'Its short URL does not change.',
  access: 'content.write',
  on: [site, campaignLink],
  effect: 'update',
  input: { url: optional(url), ...tags },
  output: CampaignLink,
  examples: [{ input: { site_id: '{{site}}', id: '{{campaign_link}}', url: 'https://example.com/summer' } }],
  async run({ db, site, campaign_link: { id }, input, now, config }) {
    if (input.url !== undefined) {
      failWith(urlFaults(input.url, config.BASE_URL))
      failWith(await hostFaults(db, site.workspace_id, input.url))
    }
    const cleared = (given: string | null | undefined) => (given === undefined ? undefined : given || null)
    const row = await db
      .updateTable('campaign_links')
      .set({
        url: input.url,
        utm_source: cleared(input.utm_source),
        utm_medium: cleared(input.utm_medium),
        utm_campaign: cleared(input.utm_campaign),
        utm_content: cleared(input.utm_content),
        utm_term: cleared(input.utm_term),
        updated_at: now,
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    return toCampaignLink(row ?? fail('not_found'), config.BASE_URL)
  },
})

export const campaign_links_delete = operation({
  route: 'DELETE /sites/{site_id}/campaign_links/{id}',
  summary: 'Delete a campaign link',
  description: 'Its short URL stops working.',
  access: 'content.write',
  on: [site, campaignLink],
  effect: 'delete',
  input: {},
  output: CampaignLink,
  examples: [{ input: { site_id: '{{site}}', id: '{{campaign_link}}' } }],
  async run({ db, campaign_link: { id }, config }) {
    const deleted = await db.deleteFrom('campaign_links').where('id', '=', id).returningAll().executeTakeFirst()
    return toCampaignLink(deleted ?? fail('not_found'), config.BASE_URL)
  },
})

const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const slugOf = (random: Uint8Array): string => Array.from(random, byte => alphabet[byte % alphabet.length]).join('')

/** @param baseUrl of this service, whose short URLs are refused as targets, because they could form a loop */
function urlFaults(given: string, baseUrl?: string): Fault[] {
  const parsed = URL.canParse(given) ? new URL(given) : undefined
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username !== '' || parsed.password !== '')
    return [{ pointer: '/url', code: 'invalid_format', message: m.no_address({ field: fieldTerm('url') }) }]
  if (baseUrl === undefined || !parsed.href.startsWith(`${baseUrl}/l/`)) return []
  return [{ pointer: '/url', code: 'invalid_format', message: m.short_address({ field: fieldTerm('url') }) }]
}

function refuseTaken(error: unknown): never {
  if (isUniqueViolation(error)) fail('already_exists', m.slug_taken())
  throw error
}
