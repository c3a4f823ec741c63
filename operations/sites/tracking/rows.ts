/** Reads and creates the tracking settings of sites. */
import { firstVisit, lastVisit } from '../../../storage/hits/first-and-last-visit.ts'
import { LRUCache } from 'lru-cache'
import type { Db, Store } from '../../../storage/store.ts'
import type { SiteTrackingRow } from '../../../storage/tables/tracking.ts'
import { resource } from '../../../runtime/settings/resource.ts'
import type { HitTimes } from './records.ts'
import { newScriptPath } from './script-path.ts'

/** The settings of a new site. */
export const freshTracking = (site_id: string, now: number, random: Uint8Array): SiteTrackingRow => ({
  site_id,
  script_path: newScriptPath(random),
  hash: 0,
  outbound_links: 1,
  downloads: 1,
  download_extensions: '[]',
  forms: 0,
  clicks: 0,
  vitals: 0,
  respect_dnt: 0,
  include: '[]',
  exclude: '[]',
  nonce: null,
  nonce_expires_at: null,
  confirmed_at: null,
  updated_at: now,
})

export const trackingOf = (db: Db, siteId: string): Promise<SiteTrackingRow> =>
  db.selectFrom('site_tracking').selectAll().where('site_id', '=', siteId).executeTakeFirstOrThrow()

/** How long rows are cached, ms: a change applies after this time. */
const KEPT_MS = 1_000

export interface TrackingByPath {
  /** Undefined if the path belongs to no site. */
  find(path: string): Promise<SiteTrackingRow | undefined>
}

export const trackingByPath = resource<TrackingByPath>({
  name: 'tracking by path',
  open({ store }) {
    const known = new LRUCache<string, { row: SiteTrackingRow | undefined }>({ max: 2_000, ttl: KEPT_MS })
    return {
      async find(path) {
        const kept = known.get(path)
        if (kept) return kept.row
        const row = await read(store, path)
        known.set(path, { row })
        return row
      },
    }
  },
  close: async () => {},
})

const read = ({ read }: Store, path: string): Promise<SiteTrackingRow | undefined> =>
  read
    .selectFrom('site_tracking as t')
    .innerJoin('sites as s', 's.id', 't.site_id')
    .selectAll('t')
    .where('t.script_path', '=', path)
    .where('s.deleted_at', 'is', null)
    .executeTakeFirst()

/** Returns the times of the first and the latest stored hit. */
export async function hitTimes(db: Db, site: number): Promise<HitTimes> {
  const [first, last] = [await firstVisit(db, site), await lastVisit(db, site)]
  return { first: first?.at ?? null, last: last?.hitAt ?? null }
}
