/** Shared links. A link shows reports of a site to anyone who has it. */
import { type Static, Type } from '@sinclair/typebox'
import type { Config } from '../../../runtime/settings/config.ts'
import { idKind } from '../../../runtime/values/ids.ts'
import { isObject } from '../../../runtime/values/json.ts'
import { among, DateTime, iso, Nullable, OneOf, record } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { SharedLinkRow } from '../../../storage/tables/sharing.ts'
import { MAX_DIMENSION_LENGTH } from '../../../storage/engine/vocabulary/dimensions.ts'
import { ofSite } from '../../sites/sites/records.ts'
import { type ReportName, reportNames } from './reports.ts'

export const ids = { shared_link: idKind('shr_'), share_token: idKind('stk_') }

export const themes = ['system', 'light', 'dark'] as const
export const limits = { links: 100, origins: 20, dimensions: 40, days: 3_650 } as const

export const fields = {
  reports: Type.Array(OneOf(reportNames, { description: 'A report.' }), {
    maxItems: reportNames.length,
    description: 'Reports that it shows and its token may read.',
  }),
  dimensions: Type.Array(Type.String({ maxLength: MAX_DIMENSION_LENGTH, description: 'A dimension.' }), {
    maxItems: limits.dimensions,
    description: 'Dimensions for breakdowns and filters; empty for all.',
  }),
  embed_origins: Type.Array(Type.String({ maxLength: 200, description: 'An origin: `https://www.example.com`.' }), {
    maxItems: limits.origins,
    description: 'Origins whose pages may embed it.',
  }),
}

export const SharedLink = record(
  'SharedLink',
  {
    id: Type.String({ description: 'Prefix `shr_`.' }),
    site_id: Type.String({ description: 'Site it shows.' }),
    name: Type.String({ description: 'Name shown in lists.' }),
    url: Type.String({ description: 'URL of the link, which never changes.' }),
    embed_code: Nullable(Type.String(), { description: 'HTML to embed it in a page; null if no origin may embed it.' }),
    password_present: Type.Boolean({ description: 'Whether it requires a password.' }),
    key_present: Type.Boolean({ description: 'Whether it has a key (`shared_links_key`), which is never returned again.' }),
    expires_at: Nullable(DateTime(), { description: 'Time at which it expires; null for never.' }),
    segment_id: Nullable(Type.String(), { description: 'Segment to which all reports are restricted.' }),
    dashboard_id: Nullable(Type.String(), { description: 'Dashboard whose cards of this site it shows.' }),
    ...fields,
    max_days: Nullable(Type.Integer({ unit: 'days' }), {
      description: 'Days that its reports cover at most, including today; null for all.',
    }),
    show_revenue: Type.Boolean({ description: 'Whether it shows revenue and purchases.' }),
    allow_export: Type.Boolean({ description: 'Whether readers may download its reports.' }),
    theme: OneOf(themes, { description: 'Colors, unless its URL sets them.' }),
    views: Type.Integer({ unit: 'count', description: 'Number of times that it was opened.' }),
    last_viewed_at: Nullable(DateTime(), { description: 'Time at which it was last opened.' }),
    created_at: DateTime({ description: 'Creation time.' }),
    updated_at: DateTime({ description: 'Time of the last change.' }),
  },
  'A link that shows reports of a site to people without an account.',
)

export const shared_link = subject<'shared_link', SharedLinkRow>({
  name: 'shared_link',
  find: ofSite('shared_links'),
  lock: (db, id) =>
    db
      .updateTable('shared_links')
      .set(({ ref }) => ({ name: ref('name') }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),
})

const texts = (json: string): string[] => {
  const list: unknown = JSON.parse(json)
  return Array.isArray(list) ? list.filter(each => typeof each === 'string') : []
}
export const reportsOf = ({ reports }: Pick<SharedLinkRow, 'reports'>): ReportName[] => texts(reports).map(name => among(reportNames, name))
/** The list of reports contains the dashboard as a record, next to the names. */
export function dashboardOf({ reports }: Pick<SharedLinkRow, 'reports'>): string | null {
  const list: unknown = JSON.parse(reports)
  const found = Array.isArray(list) ? list.find(isObject) : undefined
  return typeof found?.dashboard_id === 'string' ? found.dashboard_id : null
}
export const reportsToStore = (reports: readonly ReportName[], dashboardId: string | null): string =>
  JSON.stringify([...reports, ...(dashboardId === null ? [] : [{ dashboard_id: dashboardId }])])
export const dimensionsOf = ({ dimensions }: Pick<SharedLinkRow, 'dimensions'>): string[] => texts(dimensions)
export const originsOf = ({ embed_origins }: Pick<SharedLinkRow, 'embed_origins'>): string[] => texts(embed_origins)

/** The list of conditions of a stored segment; a single condition may be stored without the brackets of the list. */
export function conditionsOf(filters: string): unknown[] {
  const given: unknown = JSON.parse(filters)
  if (!Array.isArray(given)) return isObject(given) ? [given] : []
  return typeof given[0] === 'string' ? [given] : given
}

/** @param hasKey whether `share_tokens` has a key of it */
export function toSharedLink(row: SharedLinkRow, { BASE_URL }: Pick<Config, 'BASE_URL'>, hasKey: boolean): Static<typeof SharedLink> {
  const url = `${BASE_URL}/share/${row.slug}`
  const origins = originsOf(row)
  return {
    id: row.id,
    site_id: row.site_id,
    name: row.name,
    url,
    embed_code: origins.length === 0 ? null : embedCode(row, url, BASE_URL),
    password_present: row.password_hash !== null,
    key_present: hasKey,
    expires_at: iso(row.expires_at),
    segment_id: row.segment_id,
    dashboard_id: dashboardOf(row),
    reports: reportsOf(row),
    dimensions: dimensionsOf(row),
    embed_origins: origins,
    max_days: row.max_days,
    show_revenue: row.show_revenue === 1,
    allow_export: row.allow_export === 1,
    theme: among(themes, row.theme),
    views: row.views,
    last_viewed_at: iso(row.last_viewed_at),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}

/** The frame, and a script that adapts its height to the content. */
function embedCode({ id, name }: SharedLinkRow, url: string, baseUrl: string): string {
  const title = name.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return `<iframe id="${id}" src="${url}?embed=1" title="${title}" width="100%" height="800" style="border:0" loading="lazy"></iframe>
<script>addEventListener('message', e => { if (e.origin === '${new URL(baseUrl).origin}' && e.data && e.data.type === 'footfall:height') document.getElementById('${id}').height = e.data.height })</script>`
}
