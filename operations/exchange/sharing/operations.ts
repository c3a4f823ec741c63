import { m } from './messages.ts'
import { Type } from '@sinclair/typebox'
import { fail, failWith } from '../../../runtime/table/errors.ts'
import { deleteFor, needsDeleted, restoring } from '../../../runtime/table/restoring.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { Clearable, DateTime, flag, Name, OneOf, optional } from '../../../runtime/table/schema.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { countOf, pageOf } from '../../../storage/sql/page.ts'
import type { SharedLinkRow } from '../../../storage/tables/sharing.ts'
import { hashPassword } from '../../people/sign-in/index.ts'
import { site } from '../../sites/sites/records.ts'
import {
  dashboardOf,
  dimensionsOf,
  fields,
  ids,
  limits,
  originsOf,
  reportsOf,
  reportsToStore,
  SharedLink,
  shared_link,
  themes,
  toSharedLink,
} from './records.ts'
import { linksWithKey } from './authenticator.ts'
import { lacksOfLink } from './link-permissions.ts'
import { defaultReports } from './reports.ts'
import { faultsIn, goneOf, originOf } from './check-link.ts'
import { newSlug } from './slug.ts'

const name = Name({ maxLength: 100, description: 'Name shown in lists.' })
const password = Type.String({ minLength: 6, maxLength: 200, description: 'Password that readers must enter.' })
const segmentId = Type.String({ maxLength: 64, description: 'Segment to which all reports are restricted.' })
const dashboardId = Type.String({ maxLength: 64, description: 'Dashboard whose cards of this site it shows.' })
const maxDays = Type.Integer({
  unit: 'days',
  minimum: 1,
  maximum: limits.days,
  description: 'Days that its reports cover at most, including today and comparisons.',
})
const expiresAt = DateTime({ description: 'Time at which it expires.' })
const showRevenue = Type.Boolean({ description: 'Whether it shows revenue and purchases.' })
const allowExport = Type.Boolean({ description: 'Whether readers may download its reports.' })
const theme = OneOf(themes, { description: 'Colors, unless its URL sets them.' })

export const shared_links_list = list({
  route: 'GET /sites/{site_id}/shared_links',
  summary: 'List shared links',
  empty: {
    says: 'A shared link shows the reports to people without an account, with a password if you like, or inside your own page.',
    like: [
      ['/share/7Hq…', '👁'],
      ['/share/mk2…', '🔒'],
    ],
  },
  title: 'Shared links',
  place: 'sharing',
  description: 'Oldest first.',
  access: 'analytics.read',
  on: site,
  groups: true,
  effect: 'read',
  input: {},
  of: SharedLink,
  examples: [{ input: { site_id: '{{site}}' } }],
  async run({ db, site, config, page }) {
    const all = db.selectFrom('shared_links').selectAll().where('site_id', '=', site.id).orderBy('created_at').orderBy('id')
    const [{ rows, total }, keyed] = await Promise.all([pageOf(all, page), linksWithKey(db, site.id)])
    return { rows: rows.map(row => toSharedLink(row, config, keyed.has(row.id))), total }
  },
})

export const shared_links_get = operation({
  route: 'GET /sites/{site_id}/shared_links/{id}',
  summary: 'Get a shared link',
  access: 'analytics.read',
  on: [site, shared_link],
  groups: true,
  effect: 'read',
  input: {},
  output: SharedLink,
  examples: [{ input: { site_id: '{{site}}', id: '{{shared_link}}' } }],
  run: async ({ db, site, shared_link, config }) =>
    toSharedLink(shared_link, config, (await linksWithKey(db, site.id)).has(shared_link.id)),
})

export const shared_links_create = operation({
  route: 'POST /sites/{site_id}/shared_links',
  summary: 'Share reports with a link',
  label: 'Share reports',
  icon: 'share',
  linkedFrom: '/sites/{site_id}/overview',
  description:
    'Anyone with the link can see these reports without an account, and nothing else. It can require a password and be embedded.',
  access: 'sites.manage',
  needs: ['analytics.read'],
  denies: ({ caller, input }) => lacksOfLink(caller, { reports: input.reports, allow_export: input.allow_export }),
  on: locked(site),
  groups: true,
  effect: 'create',
  input: {
    name,
    password: optional(password),
    expires_at: optional(expiresAt),
    segment_id: optional(segmentId),
    dashboard_id: optional(dashboardId),
    reports: Type.Array(fields.reports.items, { ...fields.reports, default: [...defaultReports] }),
    dimensions: Type.Array(fields.dimensions.items, { ...fields.dimensions, default: [] }),
    max_days: optional(maxDays),
    show_revenue: Type.Boolean({ ...showRevenue, default: false }),
    allow_export: Type.Boolean({ ...allowExport, default: false }),
    embed_origins: Type.Array(fields.embed_origins.items, { ...fields.embed_origins, default: [] }),
    theme: OneOf(themes, { ...theme, default: 'system' }),
  },
  output: SharedLink,
  secrets: ['password'],
  examples: [
    { summary: 'For a client, with a password', input: { site_id: '{{site}}', name: 'Client', password: 'river-stone', max_days: 90 } },
    {
      summary: 'Embedded, with one segment',
      input: { site_id: '{{site}}', name: 'Germany', segment_id: '{{segment}}', embed_origins: ['https://www.example.com'] },
    },
    { summary: 'Only a dashboard', input: { site_id: '{{site}}', name: 'Board', dashboard_id: '{{dashboard}}', reports: [] } },
  ],
  prepare: async ({ input }) => ({ hashed: input.password === undefined ? null : await hashPassword(input.password) }),
  async run({ db, site, input, hashed, config, now, newId, random }) {
    const settled = {
      ...input,
      segment_id: input.segment_id ?? null,
      dashboard_id: input.dashboard_id ?? null,
      max_days: input.max_days ?? null,
      expires_at: input.expires_at === undefined ? null : Date.parse(input.expires_at),
    }
    failWith(await faultsIn(db, { site, link: settled, now, given: new Set(Object.keys(input)) }))
    const count = await countOf(db.selectFrom('shared_links').where('site_id', '=', site.id))
    if (count >= limits.links) fail('limit_reached', m.too_many_links({ most: limits.links }))
    const row: SharedLinkRow = {
      id: newId(ids.shared_link),
      site_id: site.id,
      slug: newSlug(random),
      name: input.name,
      password_hash: hashed,
      expires_at: settled.expires_at,
      segment_id: settled.segment_id,
      reports: reportsToStore(input.reports, settled.dashboard_id),
      dimensions: JSON.stringify(input.dimensions),
      max_days: settled.max_days,
      show_revenue: Number(input.show_revenue),
      allow_export: Number(input.allow_export),
      embed_origins: JSON.stringify(input.embed_origins.map(originOf)),
      theme: input.theme,
      views: 0,
      last_viewed_at: null,
      created_at: now,
      updated_at: now,
    }
    await db.insertInto('shared_links').values(row).execute()
    return toSharedLink(row, config, false)
  },
})

export const shared_links_update = operation({
  route: 'PATCH /sites/{site_id}/shared_links/{id}',
  summary: 'Change a shared link',
  description: 'Omitted fields stay unchanged. Changes apply at once, also to current readers; a new password ends all opened links.',
  help: 'Changes apply at once, also to current readers; a new password ends all opened links.',
  access: 'sites.manage',
  needs: ['analytics.read'],
  denies: ({ caller, shared_link, input }) =>
    lacksOfLink(caller, {
      reports: input.reports ?? reportsOf(shared_link),
      allow_export: input.allow_export ?? shared_link.allow_export === 1,
    }),
  on: [site, locked(shared_link)],
  groups: true,
  effect: 'update',
  input: {
    name: optional(name),
    password: optional(Clearable(password, { description: 'Password that readers must enter; empty for none.' })),
    expires_at: optional(Clearable(expiresAt, { description: 'Time at which it expires; empty for never.' })),
    segment_id: optional(Clearable(segmentId, { description: 'Segment to which all reports are restricted; empty for none.' })),
    dashboard_id: optional(Clearable(dashboardId, { description: `${dashboardId.description} Empty: none.` })),
    reports: optional(fields.reports),
    dimensions: optional(fields.dimensions),
    max_days: optional(Type.Union([maxDays, Type.Null()], { unit: 'days', description: `${maxDays.description} Null: all.` })),
    show_revenue: optional(showRevenue),
    allow_export: optional(allowExport),
    embed_origins: optional(fields.embed_origins),
    theme: optional(theme),
  },
  output: SharedLink,
  secrets: ['password'],
  examples: [
    { input: { site_id: '{{site}}', id: '{{shared_link}}', name: 'Client, this year', max_days: 365 } },
    { summary: 'Without a password', input: { site_id: '{{site}}', id: '{{shared_link}}', password: '' } },
  ],
  prepare: async ({ input: { password } }) => ({ hashed: password ? await hashPassword(password) : null }),
  async run({ db, site, shared_link: before, input, hashed, config, now }) {
    const cleared = <T>(given: T | '' | null | undefined, kept: T | null): T | null => (given === undefined ? kept : given || null)
    const settled = {
      reports: input.reports ?? reportsOf(before),
      dimensions: input.dimensions ?? dimensionsOf(before),
      embed_origins: input.embed_origins ?? originsOf(before),
      show_revenue: input.show_revenue ?? before.show_revenue === 1,
      allow_export: input.allow_export ?? before.allow_export === 1,
      segment_id: cleared(input.segment_id, before.segment_id),
      dashboard_id: cleared(input.dashboard_id, dashboardOf(before)),
      max_days: cleared(input.max_days, before.max_days),
      expires_at: input.expires_at === undefined ? before.expires_at : input.expires_at ? Date.parse(input.expires_at) : null,
    }
    failWith(await faultsIn(db, { site, link: settled, now, given: new Set(Object.keys(input)) }))
    const row: SharedLinkRow = {
      ...before,
      name: input.name ?? before.name,
      password_hash: input.password === undefined ? before.password_hash : hashed,
      expires_at: settled.expires_at,
      segment_id: settled.segment_id,
      max_days: settled.max_days,
      reports: reportsToStore(settled.reports, settled.dashboard_id),
      dimensions: JSON.stringify(settled.dimensions),
      embed_origins: JSON.stringify(settled.embed_origins.map(originOf)),
      show_revenue: flag(input.show_revenue) ?? before.show_revenue,
      allow_export: flag(input.allow_export) ?? before.allow_export,
      theme: input.theme ?? before.theme,
      updated_at: now,
    }
    await db.updateTable('shared_links').set(row).where('id', '=', row.id).execute()
    if (row.password_hash !== null && input.password !== undefined)
      await db.deleteFrom('share_tokens').where('link_id', '=', row.id).execute()
    return toSharedLink(row, config, (await linksWithKey(db, site.id)).has(row.id))
  },
})

export const shared_links_delete = operation({
  route: 'DELETE /sites/{site_id}/shared_links/{id}',
  summary: 'Delete a shared link',
  description: 'The link stops working at once, also for current readers. `shared_links_restore` undoes it within 30 days.',
  access: 'sites.manage',
  on: [site, shared_link],
  groups: true,
  effect: 'delete',
  input: {},
  output: SharedLink,
  examples: [{ input: { site_id: '{{site}}', id: '{{shared_link}}' } }],
  async run({ site, shared_link: { id, name }, ...call }) {
    const place = { workspaceId: site.workspace_id, siteId: site.id }
    const row = await deleteFor(call, { table: 'shared_links', id, name, ...place, without: ['share_tokens'] })
    return toSharedLink(row, call.config, false)
  },
})

export const shared_links_restore = restoring({
  route: 'POST /sites/{site_id}/shared_links/{id}/restore',
  undoes: 'shared_links_delete',
  table: 'shared_links',
  of: shared_link,
  summary: 'Restore a deleted shared link',
  description: 'Its address works again, with the same password, within 30 days of its deletion. Readers have to open it again.',
  help: 'Its address works again, with the same password.',
  done: 'Shared link restored.',
  access: 'sites.manage',
  needs: ['analytics.read'],
  on: locked(site),
  groups: true,
  denies: (row, caller) => lacksOfLink(caller, { reports: reportsOf(row), allow_export: row.allow_export === 1 }),
  output: SharedLink,
  examples: [{ input: { site_id: '{{site}}', id: '{{deleted_shared_link}}' } }],
  async fits(row, { db, record }) {
    const count = await countOf(db.selectFrom('shared_links').where('site_id', '=', row.site_id))
    if (count >= limits.links) fail('limit_reached', m.too_many_links({ most: limits.links }))
    const id = await goneOf(db, {
      site_id: row.site_id,
      workspace_id: record.workspace_id,
      segment_id: row.segment_id,
      dashboard_id: dashboardOf(row),
    })
    if (id !== null) await needsDeleted(db, { name: row.name, workspaceId: record.workspace_id, id })
  },
  answer: (row, { config }) => toSharedLink(row, config, false),
})
