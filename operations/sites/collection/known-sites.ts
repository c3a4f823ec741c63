/** Which site a hit is for. Asked for every hit, so answers are kept for a second. */
import { LRUCache } from 'lru-cache'
import type { Store } from '../../../storage/store.ts'
import type { SentHit } from './hit.ts'

export interface KnownSite {
  readonly id: string
  readonly number: number
  readonly workspaceId: string
  readonly timezone: string
  readonly currency: string
  /** Of events whose amounts may come without one, by their names. */
  readonly currencies: ReadonlyMap<string, string>
}

const column = { id: 'id', domain: 'domain', umami: 'umami_id' } as const satisfies Record<SentHit['site']['by'], string>

export function knownSites(store: Store): (named: SentHit['site']) => Promise<KnownSite | undefined> {
  const known = new LRUCache<string, KnownSite>({ max: 1_000, ttl: 1_000 })
  return async ({ by, value }) => {
    const key = `${by} ${value}`
    const cached = known.get(key)
    if (cached) return cached
    const row = await store.read.selectFrom('sites').select(['id', 'number', 'workspace_id', 'timezone', 'currency'])
      .where(column[by], '=', value).where('deleted_at', 'is', null).executeTakeFirst()
    if (!row) return undefined // never kept: a site just made takes hits at once
    const site = {
      id: row.id, number: row.number, workspaceId: row.workspace_id, timezone: row.timezone, currency: row.currency,
      currencies: await currenciesOf(store, row.id),
    }
    known.set(key, site)
    return site
  }
}

async function currenciesOf({ read }: Store, siteId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await read.selectFrom('event_settings').select(['name', 'currency'])
    .where('site_id', '=', siteId).where('currency', 'is not', null).execute()
  return new Map(rows.flatMap(({ name, currency }) => (currency === null ? [] : [[name, currency]])))
}
