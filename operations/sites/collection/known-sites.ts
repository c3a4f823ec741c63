/** Looks up the sites of hits, cached for a second because every hit needs one. */
import { LRUCache } from 'lru-cache'
import type { Awaitable } from '../../../storage/values/awaitable.ts'
import type { Store } from '../../../storage/store.ts'
import { addressing, ownDomainsByWorkspace } from './addressing.ts'
import type { EnrichedFor } from './enrich/enriched.ts'
import { type ChannelsOf, siteChannels } from '../channel-rules/index.ts'
import { plainTraffic, type SiteTraffic, siteTraffic, type TrafficOf } from '../traffic-rules/index.ts'
import type { SecretBox } from '../../../runtime/settings/secret-box.ts'
import type { SiteRow } from '../../../storage/tables/index.ts'
import { openIdentityKey, traitsOf } from '../sites/index.ts'
import type { SentHit, SiteName } from './hit.ts'
import type { KnownIdentity } from './person.ts'

export interface KnownSite extends EnrichedFor {
  readonly id: string
  readonly workspaceId: string
  readonly traffic: SiteTraffic
  /** Null if the site does not identify people. */
  readonly identity: KnownIdentity | null
}

interface Rules {
  now(): number
  readonly box: SecretBox
  readonly trafficOf: TrafficOf
  readonly channelsOf: ChannelsOf
}

type Named = SentHit['site']
const column = { id: 'id', domain: 'domain', umami: 'umami_id' } as const satisfies Record<SiteName['by'], string>
const nameKinds = ['id', 'domain', 'umami'] as const satisfies readonly SiteName['by'][]

export interface KnownSites {
  /** Returns the site of each hit, undefined if there is none. Sites that are not cached are looked up with one query per kind of name. */
  find(named: readonly Named[]): Awaitable<ReadonlyArray<KnownSite | undefined>>
  /** Removes the site from the cache, so that its next hit looks it up again. */
  forget(named: Named): void
}

export function knownSites(store: Store, box: SecretBox, now: () => number): KnownSites {
  const cache = () => new LRUCache<string, KnownSite>({ max: 1_000, ttl: 1_000, ttlResolution: 50 })
  const known = { id: cache(), domain: cache(), umami: cache() } as const satisfies Record<SiteName['by'], unknown>
  const trafficOf = siteTraffic(store.read)
  const channelsOf = siteChannels(store.read)

  function find(named: readonly Named[]): ReturnType<KnownSites['find']> {
    const sites = named.map(({ by, value, or }) => known[by].get(value) ?? (or && known[or.by].get(or.value)))
    return sites.includes(undefined) ? findOthers(named, sites) : sites
  }

  async function findOthers(named: readonly Named[], sites: ReadonlyArray<KnownSite | undefined>): Promise<typeof sites> {
    const wanted = named.flatMap((each, i) => (sites[i] === undefined ? [each, ...(each.or ? [each.or] : [])] : []))
    const missing = new Map(wanted.map(each => [keyOf(each), each]))
    const found = await read(store, { box, trafficOf, channelsOf, now }, [...missing.values()])
    for (const [key, each] of missing) {
      const site = found.get(key)
      if (site) known[each.by].set(each.value, site) // misses are not cached, so that a new site accepts hits at once
    }
    return named.map((each, i) => sites[i] ?? found.get(keyOf(each)) ?? (each.or && found.get(keyOf(each.or))))
  }

  return {
    find,
    forget: ({ by, value, or }) => {
      known[by].delete(value)
      if (or) known[or.by].delete(or.value)
    },
  }
}

const keyOf = ({ by, value }: SiteName): string => `${by} ${value}`

async function read(store: Store, rules: Rules, named: readonly SiteName[]): Promise<ReadonlyMap<string, KnownSite>> {
  const found = new Map<string, KnownSite>()
  for (const by of nameKinds) {
    const values = named.filter(each => each.by === by).map(({ value }) => value)
    if (values.length === 0) continue
    const rows = await sitesOf(store).select(`${column[by]} as named`).where(column[by], 'in', values).execute()
    // A name is an alias only if no site has it as its own.
    const others = by === 'id' ? [] : values.filter(value => rows.every(({ named }) => named !== value))
    if (others.length > 0) rows.push(...(await byAlias(store, others, rules.now())))
    const siteIds = rows.map(({ id }) => id)
    const [currencies, traffic, channels] = [
      await currenciesOf(store, siteIds),
      await rules.trafficOf(siteIds),
      await rules.channelsOf(siteIds),
    ]
    const ownDomains = await ownDomainsByWorkspace(store.read, rows)
    for (const row of rows) {
      const { id, number, workspace_id, timezone, currency, named: value } = row
      const site = {
        id,
        number,
        workspaceId: workspace_id,
        timezone,
        currency,
        currencies: currencies.get(id) ?? new Map(),
        traffic: traffic.get(id) ?? plainTraffic,
        channels: channels.get(id),
        ...addressing(row, ownDomains.get(workspace_id)),
        identity: await identityFor(row, store, rules.box),
      }
      found.set(keyOf({ by, value: value ?? '' }), site)
    }
  }
  return found
}

const sitesOf = ({ read }: Store) =>
  read
    .selectFrom('sites')
    .select(['sites.id', 'number', 'workspace_id', 'domain', 'aliases', 'timezone', 'currency'])
    .select(['page_parameters', 'ignored_referrers', 'ignore_known_referrers', 'ignore_own_sites'])
    .select(['identity', 'identity_names', 'identity_traits', 'identity_key'])
    .where('deleted_at', 'is', null)

const byAlias = (store: Store, names: readonly string[], now: number) =>
  sitesOf(store)
    .innerJoin('site_aliases', 'site_aliases.site_id', 'sites.id')
    .select('site_aliases.name as named')
    .where('site_aliases.name', 'in', names)
    .where(({ or, eb }) => or([eb('until', 'is', null), eb('until', '>', now)]))
    .execute()

type Row = Pick<SiteRow, 'id' | 'identity' | 'identity_names' | 'identity_traits' | 'identity_key'>

/** A site whose key cannot be opened does not identify people: with another key, each would become another person. */
async function identityFor(row: Row, { read }: Store, box: SecretBox): Promise<KnownIdentity | null> {
  const key = row.identity === 'declared' ? await openIdentityKey(box, read, row) : null
  return key && { key, keepsNames: row.identity_names === 1, traits: traitsOf(row) }
}

async function currenciesOf({ read }: Store, siteIds: readonly string[]): Promise<ReadonlyMap<string, Map<string, string>>> {
  const ofSite = new Map<string, Map<string, string>>()
  if (siteIds.length === 0) return ofSite
  const rows = await read
    .selectFrom('event_settings')
    .select(['site_id', 'name', 'currency'])
    .where('site_id', 'in', siteIds)
    .where('currency', 'is not', null)
    .execute()
  for (const { site_id, name, currency } of rows) {
    if (currency === null) continue
    const own = ofSite.get(site_id)
    if (own) own.set(name, currency)
    else ofSite.set(site_id, new Map([[name, currency]]))
  }
  return ofSite
}
