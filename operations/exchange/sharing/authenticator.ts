/**
 * Authenticates callers who opened a link or a public site, and may read some reports of one site. Every call reads the link
 * again, so restrictions apply at once.
 */
import { authenticator } from '../../../runtime/table/authenticator.ts'
import type { Limits } from '../../../runtime/table/report-limits.ts'
import type { Permission } from '../../../runtime/table/permissions.ts'
import type { Db } from '../../../storage/store.ts'
import { ofMoney } from '../../../storage/engine/vocabulary/metrics.ts'
import type { SharedLinkRow } from '../../../storage/tables/sharing.ts'
import { conditionsOf, dashboardOf, dimensionsOf, reportsOf } from './records.ts'
import { operationsOf, type ReportName } from './reports.ts'
import { HOUR_MS } from '../../../storage/values/durations.ts'

export const tokenPrefix = 'sht_'
export const tokenMs = HOUR_MS
/** Expiry of a key, which ends when it is replaced or its link is deleted. */
export const KEY_EXPIRY = Date.parse('9999-01-01T00:00:00Z')

/** The ids of the links of a site that have a key. */
export async function linksWithKey(db: Db, siteId: string): Promise<ReadonlySet<string | null>> {
  const keys = db.selectFrom('share_tokens').select('link_id').where('site_id', '=', siteId).where('expires_at', '=', KEY_EXPIRY)
  return new Set((await keys.execute()).map(({ link_id }) => link_id))
}

/** The reports of public sites, which have no selection: reports without private data. */
export const publicReports: readonly ReportName[] = ['overview', 'timeseries', 'breakdown', 'live']

/** The fields of an opened link that decide what is shown. */
export interface Shared {
  readonly id: string
  readonly workspace_id: string
  readonly site_id: string
  readonly name: string
  readonly expires_at: number
  readonly link: SharedLinkRow | undefined
  readonly conditions: readonly unknown[] | undefined
}

/** Undefined if the link shows nothing any more, because it has expired or its segment was deleted. */
export async function narrowing(db: Db, link: SharedLinkRow, now: number): Promise<{ conditions: unknown[] | undefined } | undefined> {
  if (link.expires_at !== null && link.expires_at <= now) return undefined
  if (link.segment_id === null) return { conditions: undefined }
  const segment = await db
    .selectFrom('saved_segments')
    .select('filters')
    .where('id', '=', link.segment_id)
    .where('site_id', '=', link.site_id)
    .executeTakeFirst()
  return segment && { conditions: conditionsOf(segment.filters) }
}

export const share = authenticator<'share', Shared>({
  name: 'share',
  sentAs: { bearer: tokenPrefix },
  acceptedBy: 'everywhere',
  inAddress: true,
  async find(db, hash, { now }) {
    const token = await db
      .selectFrom('share_tokens as t')
      .innerJoin('sites as s', 's.id', 't.site_id')
      .select(['t.id', 't.site_id', 't.link_id', 't.expires_at', 's.workspace_id', 's.public', 's.name'])
      .where('t.hash', '=', hash)
      .where('t.expires_at', '>', now)
      .where('s.deleted_at', 'is', null)
      .executeTakeFirst()
    if (!token) return undefined
    if (token.link_id === null) return token.public === 1 ? { ...token, link: undefined, conditions: undefined } : undefined
    const link = await db.selectFrom('shared_links').selectAll().where('id', '=', token.link_id).executeTakeFirst()
    const narrowed = link && (await narrowing(db, link, now))
    return link && narrowed && { ...token, link, ...narrowed }
  },
  callerOf: ({ id, workspace_id, site_id, name, expires_at, link, conditions }) => ({
    kind: 'share',
    credentialId: id,
    workspaceId: workspace_id,
    permissions: new Set<Permission>(link?.allow_export === 1 ? ['analytics.read', 'analytics.export'] : ['analytics.read']),
    siteIds: [site_id],
    operations: operationsOf(link ? reportsOf(link) : publicReports, link ? dashboardOf(link) : null),
    records: recordsOf(link),
    conditions,
    limits: limitsOf(link),
    actor: link ? `Shared link ${link.name}` : `Public site ${name}`,
    member: null,
    expiresAt: expires_at,
    allowedIps: [],
    lastUsedAt: null,
  }),
})

/** The dashboard of the link; other dashboards of the workspace are hidden. */
function recordsOf(link: SharedLinkRow | undefined): ReadonlyMap<string, string> | undefined {
  const id = link ? dashboardOf(link) : null
  return id === null ? undefined : new Map([['dashboard', id]])
}

/** Notes are for members, and name their authors. */
const always: readonly string[] = ['notes']
/** Counted from all goals, and so shared with the dimension `goal` only. */
const ofGoals: readonly string[] = ['conversions']

export function limitsOf(link: SharedLinkRow | undefined): Limits {
  const dimensions = link ? dimensionsOf(link) : []
  return {
    maxDays: link?.max_days ?? null,
    dimensions: dimensions.length === 0 ? null : new Set(dimensions),
    hidden: new Set([
      ...always,
      ...(link?.show_revenue === 1 ? [] : ofMoney),
      ...(dimensions.length === 0 || dimensions.includes('goal') ? [] : ofGoals),
    ]),
  }
}
