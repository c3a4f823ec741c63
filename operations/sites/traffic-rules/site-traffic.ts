/** The traffic settings of a site, with its compiled rules. */
import { LRUCache } from 'lru-cache'
import { among } from '../../../runtime/table/schema.ts'
import type { Db } from '../../../storage/store.ts'
import type { TrafficSettingsRow } from '../../../storage/tables/traffic-rules.ts'
import { compileRules, type Decide } from './compile.ts'
import { type BotLevel, botLevels } from './records.ts'

export interface SiteTraffic {
  readonly bots: BotLevel
  readonly spamReferrers: boolean
  /** Undefined for a site without rules, as most are. */
  readonly decide: Decide | undefined
}

/** The defaults of a site that has never changed its settings. */
export const defaultSettings = Object.freeze({ bots: 'standard', spam_referrers: 1 } as const)
export const plainTraffic: SiteTraffic = Object.freeze({ bots: defaultSettings.bots, spamReferrers: true, decide: undefined })

/** Returns the traffic settings of sites by id. Compiles rules again only after a change. */
export type TrafficOf = (siteIds: readonly string[]) => Promise<ReadonlyMap<string, SiteTraffic>>

export function siteTraffic(db: Db): TrafficOf {
  const compiled = new LRUCache<string, { readonly state: string; readonly decide: Decide | undefined }>({ max: 1_000 })

  async function decideOf({ site_id, revision, updated_at }: TrafficSettingsRow): Promise<Decide | undefined> {
    // Compare the time as well: after a failover, a lost revision number may be used again for other rules.
    const state = `${revision} ${updated_at}`
    const known = compiled.get(site_id)
    if (known?.state === state) return known.decide
    const decide = await readRules(db, site_id)
    compiled.set(site_id, { state, decide })
    return decide
  }

  return async siteIds => {
    const found = new Map<string, SiteTraffic>()
    if (siteIds.length === 0) return found
    const rows = await db.selectFrom('traffic_settings').selectAll().where('site_id', 'in', siteIds).execute()
    for (const row of rows) {
      const settings = { bots: among(botLevels, row.bots), spamReferrers: row.spam_referrers === 1 }
      found.set(row.site_id, { ...settings, decide: await decideOf(row) })
    }
    return found
  }
}

async function readRules(db: Db, siteId: string): Promise<Decide | undefined> {
  const rules = await db
    .selectFrom('traffic_rules')
    .select(['id', 'kind', 'action', 'value', 'expires_at'])
    .where('site_id', '=', siteId)
    .where('enabled', '=', 1)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rules.length === 0 ? undefined : compileRules(rules)
}

/** Makes every process read the site's rules again. */
export async function rulesChanged(db: Db, siteId: string, now: number): Promise<void> {
  await db
    .insertInto('traffic_settings')
    .values({ site_id: siteId, ...defaultSettings, revision: 1, updated_at: now })
    .onConflict(conflict =>
      conflict.column('site_id').doUpdateSet(({ eb }) => ({ revision: eb('traffic_settings.revision', '+', 1), updated_at: now })),
    )
    .execute()
}
