import { Type } from '@sinclair/typebox'
import { sql } from 'kysely'
import { confirmed, confirmInput } from '../../../runtime/table/confirmation.ts'
import { lacks } from '../../../runtime/table/caller.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { flag, Name, Nullable, optional, Search, help } from '../../../runtime/table/schema.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { safeLetters } from '../../../storage/engine/vocabulary/idn.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import { canonicalZone } from '../../../storage/calendar/zones.ts'
import { MAX_DAY_MS } from '../../../storage/hits/days.ts'
import { scrubbing } from '../../../storage/hits/scrubbing.ts'
import { isTransaction } from '../../../storage/store.ts'
import { workspaceSettings } from '../../people/workspaces/index.ts'
import { workspace } from '../../people/workspaces/records.ts'
import { addSite, refuseTaken } from './add.ts'
import { changedAliases, MAX_ALIASES, putAliases, refuseNames } from './aliases.ts'
import { canonicalDomain } from './domain.ts'
import { identityFields, newIdentityKey, refuseSameTraits } from './identity.ts'
import { isLive, Site, site, toSite } from './records.ts'
import { identity_narrowed } from './hooks.ts'
import { retire } from './retire.ts'
import { m } from './messages.ts'

const fields = {
  name: Name({
    maxLength: 253,
    description: 'Name in lists and reports. Defaults to the domain.',
  }),
  domain: Type.String({
    format: 'domain',
    maxLength: 253,
    description: 'Domain of the pages, for example `example.com`. A leading `www.` or `https://` is removed.',
  }),
  timezone: Type.String({
    format: 'timezone',
    maxLength: 64,
    description: 'IANA time zone of the days in reports. A change also applies to the past.',
    [help]: 'Days begin at midnight in this time zone. A change also applies to the past.',
  }),
  currency: Type.String({
    maxLength: 64,
    pattern: '^[A-Z]{3}$',
    description: 'ISO 4217 currency of revenue.',
    [help]: 'Currency of revenue.',
  }),
  public: Type.Boolean({ description: 'Whether anyone may see the badge and public figures of the site.' }),
  week_start: Type.Integer({
    unit: 'weekday',
    minimum: 1,
    maximum: 7,
    description: 'First day of the week: 1 is Monday, 7 is Sunday.',
    [help]: 'Weeks of reports begin on this day.',
  }),
  umami_id: Nullable(Type.String({ format: 'uuid' }), {
    description: 'Website id (UUID) of an Umami snippet on the pages.',
  }),
  aliases: Type.Array(Type.String({ format: 'site_alias', maxLength: 253 }), {
    maxItems: MAX_ALIASES,
    description:
      'Other names whose hits count for the site for good: former or further domains, and ids of other products that its pages send, such as the UUID of an Umami snippet or `matomo:7`. Replaces all aliases.',
  }),
  page_parameters: Type.Array(Type.String({ pattern: '^[^\\s&=#?,+%]+$', maxLength: 50 }), {
    maxItems: 20,
    description:
      'Query parameters that are part of a page, for example `p` for WordPress’s `/?p=12`. They are stored in sorted order; all others are dropped. Applies to new hits.',
    [help]: 'For example `p` for WordPress’s plain permalinks, `/?p=12`. All other parameters are dropped. Applies to new hits.',
  }),
  ignored_referrers: Type.Array(Type.String({ format: 'domain', maxLength: 253 }), {
    maxItems: 100,
    description: 'Hosts that are never a source, with their subdomains, for example a payment provider. Applies to new visits.',
    [help]: 'Visits that come back from these hosts have no source. Subdomains are included. Applies to new visits.',
  }),
  ignore_known_referrers: Type.Boolean({
    description: 'Whether payment providers (PayPal, Stripe, Klarna …) and sign-in pages (Google, Apple, Microsoft …) are never a source.',
  }),
  ignore_own_sites: Type.Boolean({ description: 'Whether other sites of the workspace are never a source.' }),
}

export const sites_list = list({
  route: 'GET /workspaces/{workspace_id}/sites',
  summary: 'List sites and their ids',
  description: 'Name, domain, time zone, currency and id of each site, oldest first. A token restricted to sites sees only those.',
  place: 'across',
  icon: 'sites',
  empty: {
    says: 'A site is a domain whose visits you count. Create it, copy one line into its pages, and watch the first visitors come.',
    like: [
      ['www.example.com', '1,204'],
      ['shop.example.com', '352'],
    ],
  },
  access: 'analytics.read',
  on: workspace,
  effect: 'read',
  input: {
    search: optional(Search({ description: 'Only sites whose name or domain contains this text.' })),
  },
  of: Site,
  examples: [
    { input: { workspace_id: '{{workspace}}' } },
    { summary: 'By name', input: { workspace_id: '{{workspace}}', search: 'exam' } },
  ],
  async run({ db, workspace, caller, input, page }) {
    let query = db
      .selectFrom('sites')
      .selectAll()
      .where('workspace_id', '=', workspace.id)
      .where('domain', 'is not', null)
      .where('deleted_at', 'is', null)
    if (caller.siteIds.length > 0) query = query.where('id', 'in', caller.siteIds)
    if (input.search) {
      const part = `%${input.search.replace(/[\\%_]/g, '\\$&')}%`
      const contains = (column: 'name' | 'domain') => sql<boolean>`lower(${sql.ref(column)}) like lower(${part}) escape '\\'`
      query = query.where(({ or }) => or([contains('name'), contains('domain')]))
    }
    const { rows, total } = await pageOf(query.orderBy('created_at').orderBy('id'), page)
    return { rows: rows.filter(isLive).map(toSite), total }
  },
})

export const sites_create = operation({
  route: 'POST /workspaces/{workspace_id}/sites',
  summary: 'Create a site: track a domain',
  description: 'From then on, Footfall stores hits of its domain.',
  access: 'sites.manage',
  reach: 'workspace',
  denies: ({ caller, input }) => (input.public ? lacks(caller, ['analytics.read']) : undefined),
  on: locked(workspace),
  adds: 'sites',
  effect: 'create',
  input: {
    domain: fields.domain,
    name: optional(fields.name),
    timezone: optional(
      Type.String({ ...fields.timezone, description: `${fields.timezone.description} Defaults to the setting of the workspace.` }),
    ),
    currency: optional(
      Type.String({ ...fields.currency, description: `${fields.currency.description} Defaults to the setting of the workspace.` }),
    ),
    public: Type.Boolean({ ...fields.public, default: false }),
    week_start: optional(
      Type.Integer({ ...fields.week_start, description: `${fields.week_start.description} Defaults to the setting of the workspace.` }),
    ),
    umami_id: optional(fields.umami_id),
  },
  output: Site,
  examples: [
    {
      input: { workspace_id: '{{workspace}}', domain: 'shop.example.com', timezone: 'Europe/Berlin', currency: 'EUR' },
    },
  ],
  async run({ db, workspace, input, now, newId, emit }) {
    const domain = domainOf(input.domain)
    const defaults = await workspaceSettings(db, workspace.id)
    return addSite(
      db,
      { now, newId, emit },
      {
        workspace_id: workspace.id,
        name: input.name ?? safeLetters(domain),
        domain,
        timezone: zoneOf(input.timezone ?? defaults.default_timezone),
        currency: input.currency ?? defaults.default_currency,
        public: Number(input.public),
        week_start: input.week_start ?? defaults.week_start,
        umami_id: input.umami_id?.toLowerCase() ?? null,
      },
    )
  },
})

export const sites_get = operation({
  route: 'GET /sites/{site_id}',
  summary: 'Get a site: domain, time zone, currency',
  access: 'analytics.read',
  on: site,
  groups: true,
  effect: 'read',
  input: {},
  output: Site,
  examples: [{ input: { site_id: '{{site}}' } }],
  run: ({ site }) => toSite(site),
})

export const sites_update = operation({
  route: 'PATCH /sites/{site_id}',
  summary: 'Change a site',
  access: 'sites.manage',
  denies: ({ caller, site, input }) =>
    lacks(caller, [
      ...(input.public && site.public === 0 ? (['analytics.read'] as const) : []),
      ...(input.visit_list && site.visit_list === 0 ? (['analytics.export'] as const) : []),
    ]),
  on: locked(site),
  effect: 'update',
  input: {
    name: optional(fields.name),
    domain: optional(fields.domain),
    timezone: optional(fields.timezone),
    currency: optional(fields.currency),
    public: optional(fields.public),
    week_start: optional(fields.week_start),
    umami_id: optional(fields.umami_id),
    aliases: optional(fields.aliases),
    page_parameters: optional(fields.page_parameters),
    ignored_referrers: optional(fields.ignored_referrers),
    ignore_known_referrers: optional(fields.ignore_known_referrers),
    ignore_own_sites: optional(fields.ignore_own_sites),
    identity: optional(identityFields.identity),
    identity_names: optional(identityFields.identity_names),
    identity_traits: optional(identityFields.identity_traits),
    visit_list: optional(Site.properties.visit_list),
  },
  output: Site,
  examples: [
    { input: { site_id: '{{site}}', name: 'Shop', public: true } },
    { summary: 'Without other names', input: { site_id: '{{site}}', aliases: [] } },
    { summary: 'Pages of WordPress with plain permalinks', input: { site_id: '{{site}}', page_parameters: ['p', 'page_id'] } },
    {
      summary: 'Recognise customers who have agreed, and keep their plan',
      input: { site_id: '{{site}}', identity: 'declared', identity_traits: [{ name: 'plan', type: 'text' }] },
    },
  ],
  async run({ db, store, site, input, now, random, use, emit }) {
    refuseSameTraits(input.identity_traits)
    const narrows = input.identity_names === false || input.identity_traits !== undefined
    // Hits that arrive meanwhile add nothing that is not to be kept any more.
    if (narrows && isTransaction(db)) await store.dialect.lockSites(db, [site.number])
    const timezone = input.timezone && zoneOf(input.timezone)
    const domain = input.domain && domainOf(input.domain)
    const umami_id = input.umami_id && input.umami_id.toLowerCase()
    await refuseNames(
      db,
      site.id,
      [domain, umami_id].flatMap(name => name || []),
      now,
    )
    const aliases = changedAliases(site, { domain, aliases: input.aliases }, now)
    const changed = await db
      .updateTable('sites')
      .set({
        id: site.id, // makes an empty update valid SQL
        name: input.name,
        domain,
        aliases: aliases && JSON.stringify(aliases),
        timezone,
        ...(timezone && timezone !== site.timezone && { old_days_before: now + MAX_DAY_MS, old_days_from: null }),
        currency: input.currency,
        public: flag(input.public),
        week_start: input.week_start,
        umami_id,
        page_parameters: input.page_parameters && JSON.stringify([...new Set(input.page_parameters)].sort()),
        ignored_referrers: input.ignored_referrers && JSON.stringify([...new Set(input.ignored_referrers.map(domainOf))]),
        ignore_known_referrers: flag(input.ignore_known_referrers),
        ignore_own_sites: flag(input.ignore_own_sites),
        identity: input.identity,
        identity_names: flag(input.identity_names),
        identity_traits: input.identity_traits && JSON.stringify(input.identity_traits),
        visit_list: flag(input.visit_list),
        ...(input.identity === 'declared' &&
          site.identity_key === null && { identity_key: await newIdentityKey(use(secretBox), db, site.id, random) }),
      })
      .where('id', '=', site.id)
      .where('deleted_at', 'is', null)
      .returningAll()
      .executeTakeFirst()
      .catch(refuseTaken)
    if (!changed || !isLive(changed)) fail('not_found')
    if (aliases) await putAliases(db, site, aliases, now)
    if (narrows) await emit(identity_narrowed, { site: changed })
    return toSite(changed)
  },
})

export const sites_delete = operation({
  route: 'DELETE /sites/{site_id}',
  summary: 'Delete a site and its data',
  description:
    'The site stops returning reports and accepting hits at once, and its domain becomes available. Its hits are deleted in the background. ' +
    'This cannot be undone.',
  access: 'sites.manage',
  on: locked(site),
  effect: 'delete',
  input: { confirm: confirmInput('The domain of the site, or its name') },
  output: Site,
  examples: [{ input: { site_id: '{{site}}', confirm: 'example.com' } }],
  async run({ db, store, site, input, now, emit }) {
    confirmed(input.confirm, [site.domain, site.name], m.domain_or_name())
    return (await scrubbing(store, db, () => retire(db, { now, emit }, site))) ? toSite(site) : fail('not_found')
  },
})

/** Canonical forms. The formats of the inputs ensure that they exist. */
const domainOf = (text: string) => canonicalDomain(text) ?? text
const zoneOf = (text: string) => canonicalZone(text) ?? text
