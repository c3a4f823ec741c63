/** Hits to fill a site with, stored as if time had passed. */
import { openHitStore } from '../../../storage/hits/hit-store.ts'
import { firstHitDimensions, type FirstHitDimension } from '../../../storage/hits/dictionaries.ts'
import type { NewHit } from '../../../storage/hits/new-hit.ts'
import type { Store } from '../../../storage/store.ts'
import type { LiveSite } from '../../../operations/sites/sites/records.ts'
import { randomBytes } from '../../support/chance.ts'
import type { OracleGoal } from './oracle/oracle.ts'

const noValues = Object.fromEntries(firstHitDimensions.map(name => [name, ''])) as Record<FirstHitDimension, string>

export type Sent = Partial<Omit<NewHit, 'visit' | 'at' | 'identity' | 'props'>> & {
  readonly at: number
  readonly who: string
  readonly props?: Readonly<Record<string, string | number>>
  readonly visit?: Partial<Record<FirstHitDimension, string>>
}

/** A pageview of `/` with these changes. */
export function hit(site: Pick<LiveSite, 'number' | 'timezone'>, { at, who, props = {}, visit = {}, ...rest }: Sent): NewHit {
  return {
    site: site.number,
    zone: site.timezone,
    at,
    identity: { ip: who, userAgent: 'test' },
    kind: rest.event ? 'event' : 'pageview',
    page: '/',
    event: '',
    interactive: true,
    revenue: 0,
    engagedMs: 0,
    scroll: 0,
    props: Object.entries(props).map(([key, value]) => [key, String(value), typeof value === 'number' ? value : null]),
    visit: { ...noValues, channel: 'Direct', ...visit },
    vitals: {},
    clicks: [],
    ...rest,
  }
}

/**
 * Stores hits in this order, each batch at the time of its last hit.
 * @returns the stored ones
 */
export async function store(store: Store, hits: readonly NewHit[], batch = 50): Promise<NewHit[]> {
  let now = 0
  const hitStore = openHitStore(store, { now: () => now, randomBytes })
  const stored: NewHit[] = []
  for (let i = 0; i < hits.length; i += batch) {
    const some = hits.slice(i, i + batch)
    now = Math.max(now, ...some.map(({ at }) => at))
    const outcomes = await hitStore.append(some)
    stored.push(...some.filter((_, j) => outcomes[j]?.stored))
  }
  await hitStore.close()
  return stored
}

let sites = 0

export async function addSite({ write }: Store, timezone: string, more: Partial<LiveSite> = {}): Promise<LiveSite> {
  const id = `pa_${++sites}`
  await write
    .insertInto('workspaces')
    .values({
      id: 'ws_1',
      name: 'Test',
      created_at: 0,
    })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const row = {
    id,
    kind: 'site' as const,
    workspace_id: 'ws_1',
    name: id,
    domain: `${id}.test`,
    timezone,
    currency: 'EUR',
    public: 0,
    week_start: 1,
    umami_id: null,
    identity: 'off',
    identity_names: 0,
    identity_traits: '[]',
    identity_key: null,
    aliases: '[]',
    created_at: 0,
    deleted_at: null,
    old_days_before: null,
    page_parameters: '[]',
    ignored_referrers: '[]',
    ignore_known_referrers: 1,
    ignore_own_sites: 0,
    old_days_from: null,
    visit_list: 1,
    texts_forgotten: 0,
    ...more,
  }
  await write.insertInto('sites').values(row).execute()
  const { number } = await write.selectFrom('sites').select('number').where('id', '=', row.id).executeTakeFirstOrThrow()
  return { ...row, number }
}

export async function addGoal(
  { write }: Store,
  site: LiveSite,
  id: string,
  goal: OracleGoal | { name: string; path?: string; event?: string; property?: string; value?: string },
): Promise<void> {
  const given: Partial<OracleGoal> = goal
  const kind =
    given.depth !== undefined ? 'scroll' : given.seconds !== undefined ? 'duration' : given.event !== undefined ? 'event' : 'page'
  await write
    .insertInto('goals')
    .values({
      id,
      site_id: site.id,
      name: goal.name,
      kind,
      path: given.path ?? null,
      regex: given.regex ?? null,
      event: given.event ?? null,
      property: given.property ?? null,
      value: given.value ?? null,
      properties: JSON.stringify(given.properties ?? []),
      depth: given.depth ?? null,
      duration_seconds: given.seconds ?? null,
      value_amount: given.amount ?? null,
      value_property: given.amountIn ?? null,
      created_at: 0,
      updated_at: 0,
    })
    .execute()
}
