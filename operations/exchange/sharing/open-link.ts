/** Opens a link for an hour, with its password if it has one. */
import { m } from './messages.ts'
import { Type } from '@sinclair/typebox'
import { hashCredential } from '../../../runtime/call/credentials.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { networkOf } from '../../../runtime/outbound/network.ts'
import { operation } from '../../../runtime/table/operation.ts'
import type { Services } from '../../../runtime/table/call-services.ts'
import { DateTime, iso, Nullable, OneOf, optional, record, help } from '../../../runtime/table/schema.ts'
import { countShared, type SharedLimit, tooMany, uncountShared } from '../../../runtime/call/shared-rate.ts'
import { makeToken } from '../../../runtime/call/tokens.ts'
import type { Db } from '../../../storage/store.ts'
import type { SharedLinkRow } from '../../../storage/tables/sharing.ts'
import { isPassword, typedPassword } from '../../people/sign-in/index.ts'
import { asLive, type LiveSite, site } from '../../sites/sites/records.ts'
import { narrowing, publicReports, tokenMs, tokenPrefix } from './authenticator.ts'
import { dashboardOf, ids, reportsOf } from './records.ts'
import { type ReportName, reportNames } from './reports.ts'
import { isSlug } from './slug.ts'
import { HOUR_MS } from '../../../storage/values/durations.ts'

const Opened = record(
  'OpenedShare',
  {
    token: Type.String({ description: 'Bearer token of the reports, prefix `sht_`.' }),
    expires_at: DateTime({ description: 'Expiry, after an hour.' }),
    site: Type.Object(
      {
        id: Type.String({ description: 'Prefix `pa_`.' }),
        name: Type.String({ description: 'Name of the site.' }),
        domain: Type.String({ description: 'Domain of the site.' }),
        timezone: Type.String({ description: 'IANA time zone of its days.' }),
        currency: Type.String({ description: 'ISO 4217 currency of its revenue.', [help]: 'Of its revenue, such as EUR.' }),
      },
      { description: 'The shown site.' },
    ),
    reports: Type.Array(OneOf(reportNames, { description: 'A report.' }), { description: 'Reports that the token may read.' }),
    dashboard: Nullable(
      Type.Object({
        id: Type.String({ description: 'Prefix `dash_`.' }),
        workspace_id: Type.String({ description: 'Workspace of the dashboard.' }),
      }),
      { description: 'Dashboard that the token may read.' },
    ),
  },
  'An opened link.',
)

/** Finds a valid link and its site. Undefined if it is unknown, deleted or expired. */
export async function findLink(db: Db, slug: string, now: number): Promise<{ link: SharedLinkRow; site: LiveSite } | undefined> {
  const link = isSlug(slug) ? await db.selectFrom('shared_links').selectAll().where('slug', '=', slug).executeTakeFirst() : undefined
  if (!link || !(await narrowing(db, link, now))) return undefined
  const found = await db.selectFrom('sites').selectAll().where('id', '=', link.site_id).executeTakeFirst()
  const site = found && (await asLive(db, found))
  return site && { link, site }
}

type Opening = Pick<Services, 'db' | 'now' | 'random' | 'newId'>

interface Shows {
  readonly linkId: string | null
  readonly reports: readonly ReportName[]
  readonly dashboardId: string | null
}

async function opened({ db, now, random, newId }: Opening, of: LiveSite, { linkId, reports, dashboardId }: Shows) {
  const token = makeToken(random, tokenPrefix)
  const expiresAt = now + tokenMs
  await db
    .insertInto('share_tokens')
    .values({
      id: newId(ids.share_token),
      hash: hashCredential(token),
      site_id: of.id,
      link_id: linkId,
      expires_at: expiresAt,
      created_at: now,
    })
    .execute()
  const { id, name, domain, timezone, currency } = of
  return {
    token,
    expires_at: iso(expiresAt),
    site: { id, name, domain, timezone, currency },
    reports: [...reports],
    dashboard: dashboardId === null ? null : { id: dashboardId, workspace_id: of.workspace_id },
  }
}

const perAddress: SharedLimit = { name: 'share-address', limit: 60, windowMs: 60_000 }
const perPair: SharedLimit = { name: 'share-pair', limit: 10, windowMs: 60_000 }
/** Beyond it, many addresses are guessing: each has fewer tries, but none takes them from another. */
const perLink: SharedLimit = { name: 'share-link', limit: 100, windowMs: HOUR_MS }
const perPairOfGuessed: SharedLimit = { name: 'share-pair-guessed', limit: 3, windowMs: HOUR_MS }

/** Counts an attempt before it compares the password, so that parallel attempts gain nothing. @throws Failure `password_required`, `rate_limited` */
async function checkPassword({ store, now, request }: Pick<Services, 'store' | 'now' | 'request'>, link: SharedLinkRow, typed: string) {
  const network = networkOf(request.ip)
  const pair = `${network} ${link.id}`
  const counted: (readonly [limit: SharedLimit, who: string])[] = []
  const wait = await store.transaction(async trx => {
    counted.length = 0 // the transaction may run again
    const count = (sharedLimit: SharedLimit, who: string) => {
      counted.push([sharedLimit, who])
      return countShared(trx, { sharedLimit, who, now })
    }
    const seconds = (await count(perAddress, network)) || (await count(perPair, pair))
    if (seconds > 0) return seconds
    return (await count(perLink, link.id)) > 0 ? count(perPairOfGuessed, pair) : 0
  })
  if (wait > 0) tooMany(wait)
  if (!(await isPassword(typed, link.password_hash ?? undefined))) fail('password_required', m.wrong_password())
  await store.transaction(async trx => {
    for (const [limit, who] of counted) await uncountShared(trx, limit, who)
  })
}

const pathOf = (slug: string | undefined): string => `/share/${encodeURIComponent(slug ?? '')}`

export const shared_links_open = operation({
  route: 'POST /share/{slug}',
  summary: 'Open a shared link',
  description:
    'Returns a token that reads the reports of the link for an hour. If the link has a password and none is sent, the response is 401 ' +
    '`password_required`. Unknown, deleted and expired links get the same response.',
  access: 'public',
  surfaces: ['http'],
  effect: 'create',
  unaudited: true,
  path: { slug: Type.String({ maxLength: 64, description: 'The last part of the link.' }) },
  input: { password: optional(typedPassword) },
  output: Opened,
  secrets: ['password', 'token'],
  form: {
    page: 'GET /share/{slug}',
    after: ({ token }: { token: string }, typed) => {
      const query = new URLSearchParams(typed.get('_query') ?? '')
      query.set('key', token)
      return `${pathOf(typed.get('_slug') ?? undefined)}?${query}`
    },
  },
  examples: [{ input: { slug: '{{shared_slug}}' } }],
  async prepare({ input, ...services }) {
    const found = (await findLink(services.store.read, input.slug, services.now)) ?? fail('not_found')
    if (found.link.password_hash === null) return { found }
    if (input.password === undefined) fail('password_required')
    await checkPassword(services, found.link, input.password)
    return { found }
  },
  async run({ found: { link, site }, ...services }) {
    const { db, now } = services
    const updated = await db
      .updateTable('shared_links')
      .set(({ eb }) => ({ views: eb('views', '+', 1), last_viewed_at: now }))
      .where('id', '=', link.id)
      .where('updated_at', '=', link.updated_at)
      .returning('id')
      .executeTakeFirst()
    if (!updated) fail('not_found') // it was deleted or changed meanwhile
    return opened(services, site, { linkId: link.id, reports: reportsOf(link), dashboardId: dashboardOf(link) })
  },
})

export const public_sites_open = operation({
  route: 'POST /public/{site_id}',
  summary: 'Open a public site',
  description:
    'Returns a token that reads some reports of a public site for an hour. A site that is not public gets the same response as a missing one.',
  access: 'public',
  on: site,
  surfaces: ['http'],
  effect: 'create',
  unaudited: true,
  input: {},
  output: Opened,
  secrets: ['token'],
  examples: [{ input: { site_id: '{{site}}' } }],
  async run({ site, ...services }) {
    if (site.public !== 1) fail('not_found')
    return opened(services, site, { linkId: null, reports: publicReports, dashboardId: null })
  },
})
