/** Creates a site and emits its event; used by the operation and by setup. */
import { fail } from '../../../runtime/table/errors.ts'
import type { Emit } from '../../../runtime/events/event.ts'
import type { IdKind } from '../../../runtime/values/ids.ts'
import { type Db, isUniqueViolation } from '../../../storage/store.ts'
import { refuseNames } from './aliases.ts'
import { site_created } from './events.ts'
import { allSitesOf, NO_CURRENCY } from './live-site.ts'
import { ids, type LiveSite, toSite } from './records.ts'
import { m } from './messages.ts'

/** The columns of a new site that are not generated. */
export type NewSite = Omit<
  LiveSite,
  'id' | 'kind' | 'members' | 'number' | 'created_at' | 'deleted_at' | 'old_days_before' | 'old_days_from' | keyof typeof defaults
>

/** The settings of hits that a site begins with. It does not identify people, and lists single visits. */
const defaults = Object.freeze({
  page_parameters: '[]',
  ignored_referrers: '[]',
  ignore_known_referrers: 1,
  ignore_own_sites: 0,
  identity: 'off',
  identity_names: 0,
  identity_traits: '[]',
  identity_key: null,
  aliases: '[]',
  visit_list: 1,
  texts_forgotten: 0,
})

/** @throws Failure `already_exists` if another site has this domain or umami_id */
export async function addSite(
  db: Db,
  { now, newId, emit }: { now: number; newId(kind: IdKind): string; emit: Emit },
  given: NewSite,
): Promise<ReturnType<typeof toSite>> {
  const values = {
    id: newId(ids.site),
    kind: 'site' as const,
    ...defaults,
    ...given,
    created_at: now,
    deleted_at: null,
    old_days_before: null,
    old_days_from: null,
  }
  await refuseNames(db, values.id, [values.domain, ...(values.umami_id === null ? [] : [values.umami_id])], now)
  await db.insertInto('sites').values(values).execute().catch(refuseTaken)
  await addGroupOfAll(db, given.workspace_id, now)
  const site = toSite(values)
  await emit(site_created, { workspaceId: site.workspace_id, siteId: site.id, data: site })
  return site
}

/** The group of all sites of a workspace, which it has from its first site on. */
export async function addGroupOfAll(db: Db, workspaceId: string, now: number): Promise<void> {
  await db
    .insertInto('sites')
    .values({
      ...{ id: allSitesOf(workspaceId), workspace_id: workspaceId, kind: 'all', name: 'All sites' },
      ...{
        domain: null,
        timezone: 'UTC',
        currency: NO_CURRENCY,
        public: 0,
        week_start: 1,
        umami_id: null,
        created_at: now,
        deleted_at: null,
      },
    })
    .onConflict(conflict => conflict.column('id').doNothing())
    .execute()
}

export function refuseTaken(error: unknown): never {
  if (isUniqueViolation(error)) fail('already_exists', m.domain_taken())
  throw error
}
