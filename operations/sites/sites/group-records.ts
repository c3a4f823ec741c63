/** The record of a group of sites. */
import { Type } from '@sinclair/typebox'
import { DateTime, iso, Nullable, OneOf, record, type Static } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { Db } from '../../../storage/store.ts'
import type { SiteRow } from '../../../storage/tables/index.ts'
import { asLive, hasSeveralCurrencies, hasSeveralZones, type LiveSite } from './live-site.ts'
import { site } from './records.ts'

export const SiteGroup = record(
  'SiteGroup',
  {
    id: Type.String({ description: 'Prefix `pa_`. Reports take it as the id of a site.' }),
    workspace_id: Type.String({ description: 'Workspace of the group.' }),
    name: Type.String({ description: 'Name in lists and reports.' }),
    kind: OneOf(['group', 'all'], { description: '`all`: the group of all sites of the workspace, which is kept up to date by itself.' }),
    site_ids: Type.Array(Type.String(), { description: 'Its sites, oldest first.' }),
    timezone: Nullable(Type.String(), {
      description: 'Time zone of its sites; null if they have several. Each day and hour then follows the clock of each site.',
    }),
    currency: Nullable(Type.String(), {
      description: 'ISO 4217 currency of its sites; null if they have several. Amounts are then null as well.',
    }),
    created_at: DateTime({ description: 'When the group was created.' }),
  },
  'A group of sites, whose reports cover all of its sites together.',
)

const groupOf = (one: LiveSite | undefined): LiveSite | undefined => (one?.members ? one : undefined)

export const siteGroup = subject<'site_group', LiveSite>({
  name: 'site_group',
  async find(db, id) {
    const found = await site.find(db, id)
    return found && 'workspaceId' in found && found.row.members ? found : undefined
  },
  lock: async (db, id) => groupOf(await site.lock?.(db, id)),
  hold: async (db, id, dialect) => groupOf(await site.hold?.(db, id, dialect)),
})

export async function groupRecords(db: Db, rows: readonly SiteRow[]): Promise<Static<typeof SiteGroup>[]> {
  const records: Static<typeof SiteGroup>[] = []
  for (const row of rows) {
    const group = await asLive(db, row)
    if (!group?.members) continue
    records.push({
      id: group.id,
      workspace_id: group.workspace_id,
      name: group.name,
      kind: row.kind === 'all' ? 'all' : 'group',
      site_ids: group.members.map(({ id }) => id),
      timezone: hasSeveralZones(group) ? null : group.timezone,
      currency: hasSeveralCurrencies(group) ? null : group.currency,
      created_at: iso(group.created_at),
    })
  }
  return records
}
