/** Caches the compiled channel rules of sites, and reads them again only after a change. */
import { LRUCache } from 'lru-cache'
import type { Db } from '../../../storage/store.ts'
import { type Arrival, compileChannels, type OwnChannels } from './compile.ts'
import { arrivalDimensions } from '../../../storage/hits/arrivals.ts'

/** By site id; sites without rules are missing. */
export type ChannelsOf = (siteIds: readonly string[]) => Promise<ReadonlyMap<string, OwnChannels>>

export function siteChannels(db: Db): ChannelsOf {
  const compiled = new LRUCache<string, { readonly state: string; readonly channels: OwnChannels | undefined }>({ max: 1_000 })
  return async siteIds => {
    const found = new Map<string, OwnChannels>()
    if (siteIds.length === 0) return found
    const sets = await db
      .selectFrom('channel_rule_sets')
      .select(['site_id', 'revision', 'changed_at'])
      .where('site_id', 'in', siteIds)
      .execute()
    for (const { site_id, revision, changed_at } of sets) {
      // Compare the time as well: after a failover, a lost revision number may be used again for other rules.
      const state = `${revision} ${changed_at}`
      const known = compiled.get(site_id)
      const channels = known?.state === state ? known.channels : await readChannels(db, site_id)
      if (known?.state !== state) compiled.set(site_id, { state, channels: channels && cachedByArrival(channels) })
      const kept = compiled.get(site_id)?.channels
      if (kept) found.set(site_id, kept)
    }
    return found
  }
}

export async function readChannels(db: Db, siteId: string): Promise<OwnChannels | undefined> {
  const rules = await db.selectFrom('channel_rules').selectAll().where('site_id', '=', siteId).orderBy('position').orderBy('id').execute()
  return rules.length === 0 ? undefined : compileChannels(rules)
}

/** Caches results, because every hit needs one and most visits have the same few arrivals. */
function cachedByArrival(channels: OwnChannels): OwnChannels {
  const known = new LRUCache<string, { channel: string | undefined }>({ max: 2_000 })
  return (arrival: Arrival) => {
    const key = arrivalDimensions.map(field => arrival[field]).join('\0')
    let kept = known.get(key)
    if (!kept) known.set(key, (kept = { channel: channels(arrival) }))
    return kept.channel
  }
}

/** Makes every process read the site's rules again. */
export async function channelsChanged(db: Db, siteId: string, now: number): Promise<void> {
  await db
    .insertInto('channel_rule_sets')
    .values({ site_id: siteId, revision: 1, changed_at: now })
    .onConflict(conflict =>
      conflict.column('site_id').doUpdateSet(({ eb }) => ({ revision: eb('channel_rule_sets.revision', '+', 1), changed_at: now })),
    )
    .execute()
}
