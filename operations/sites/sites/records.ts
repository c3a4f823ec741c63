/** A site sends hits and has reports. */
import { Type } from '@sinclair/typebox'
import { DateTime, iso, Nullable, record, type Static } from '../../../runtime/schema.ts'
import { subject } from '../../../runtime/subject.ts'
import { prepared } from '../../../storage/prepared.ts'
import type { SiteRow } from '../../../storage/tables/index.ts'

export const Site = record('Site', {
  id: Type.String({ description: 'Prefix `pa_`.' }),
  workspace_id: Type.String({ description: 'Workspace it belongs to.' }),
  name: Type.String({ description: 'Name shown in lists and reports.' }),
  domain: Type.String({ description: 'Domain its pages name in `data-domain`, without `www.`.' }),
  timezone: Type.String({ description: 'IANA time zone that its days are cut by.' }),
  currency: Type.String({ description: 'ISO 4217 currency of its revenue.' }),
  public: Type.Boolean({ description: 'Whether its badge and public figures may be seen by anyone.' }),
  week_start: Type.Integer({ description: 'First day of its week: 1 is Monday, 7 is Sunday.' }),
  umami_id: Nullable(Type.String(), { description: 'The website id (UUID) an Umami snippet on its pages carries.' }),
  created_at: DateTime({ description: 'When it was made.' }),
}, 'A site: one domain that sends hits, and how its reports are cut.')

/** A site that is not deleted; its domain is there. */
export type LiveSite = SiteRow & { domain: string }

const findSite = prepared((db, id: string) =>
  db.selectFrom('sites').selectAll().where('id', '=', id).where('deleted_at', 'is', null))

export const site = subject<'site', LiveSite>({
  name: 'site',
  kind: 'site',
  async find(db, id) {
    const [row] = await findSite(db, id)
    return row && isLive(row) ? { row, workspaceId: row.workspace_id, siteId: row.id } : undefined
  },
})

interface Mortal {
  domain: string | null
  deleted_at: number | null
}
export function isLive<R extends Mortal>(row: R): row is R & { domain: string } {
  return row.domain !== null && row.deleted_at === null
}

export function toSite(row: Omit<LiveSite, 'number'>): Static<typeof Site> {
  return {
    id: row.id,
    workspace_id: row.workspace_id,
    name: row.name,
    domain: row.domain,
    timezone: row.timezone,
    currency: row.currency,
    public: row.public === 1,
    week_start: row.week_start,
    umami_id: row.umami_id,
    created_at: iso(row.created_at),
  }
}
