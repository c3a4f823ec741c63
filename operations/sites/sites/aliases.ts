/**
 * Other names of a site, whose hits count for it: former domains for 72 hours, and domains and ids of other products for good. A name
 * belongs to one site of the installation: the domain or Umami id of a site, or an alias. `sites.aliases` has them for readers of the
 * site, and `site_aliases` for hits.
 */
import { sql } from 'kysely'
import { defineFormat } from '../../../runtime/table/schema.ts'
import { fail } from '../../../runtime/table/errors.ts'
import type { Dialect } from '../../../storage/dialects/dialect.ts'
import type { Db } from '../../../storage/store.ts'
import type { SiteRow } from '../../../storage/tables/index.ts'
import { canonicalDomain } from './domain.ts'
import { m } from './messages.ts'
import { HOUR_MS } from '../../../storage/values/durations.ts'

export interface Alias {
  readonly name: string
  /** Epoch ms; null: for good. */
  readonly until: number | null
}

/** The time for which hits of a former domain still count. */
export const FORMER_DOMAIN_MS = 72 * HOUR_MS
export const MAX_ALIASES = 50

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The id of a site at another product: `matomo:1`, `google:g-abc123`, `posthog:phc_…`. */
const FOREIGN = /^(?:cloudflare|fathom|google|matomo|posthog|segment):[\w.-]{1,120}$/

/** A domain, a UUID such as a website id of Umami, or the id of another product behind its name, in the form in which hits are compared; null for other texts. */
export function canonicalAlias(text: string): string | null {
  const id = text.trim().toLowerCase()
  return isId(id) ? id : canonicalDomain(text)
}
const isId = (name: string): boolean => UUID.test(name) || FOREIGN.test(name)
defineFormat('site_alias', 300, text => canonicalAlias(text) !== null)

export const aliasesIn = ({ aliases }: Pick<SiteRow, 'aliases'>): readonly Alias[] =>
  aliases === '[]' ? none : (JSON.parse(aliases) as Alias[]) // written below
const none: readonly Alias[] = Object.freeze([])

/** Aliases that are domains. */
export const aliasDomains = (row: Pick<SiteRow, 'aliases'>): string[] => aliasesIn(row).flatMap(({ name }) => (isId(name) ? [] : [name]))

interface Change {
  readonly domain: string | undefined
  /** All aliases that the site keeps for good; undefined to leave them. */
  readonly aliases: readonly string[] | undefined
}

/** The aliases of a site after a change; undefined if they stay as they are. */
export function changedAliases(site: Pick<SiteRow, 'domain' | 'aliases'>, { domain, aliases }: Change, now: number): Alias[] | undefined {
  const isMoved = domain !== undefined && domain !== site.domain
  if (!isMoved && aliases === undefined) return undefined
  const kept: readonly Alias[] = aliases ? aliases.map(name => ({ name: canonicalAlias(name) ?? name, until: null })) : aliasesIn(site)
  const former = isMoved && site.domain !== null ? [{ name: site.domain, until: now + FORMER_DOMAIN_MS }] : []
  const all = new Map<string, Alias>()
  for (const alias of [...kept, ...former]) if (alias.name !== (domain ?? site.domain) && !all.has(alias.name)) all.set(alias.name, alias)
  return [...all.values()].slice(0, MAX_ALIASES)
}

/** Stores the aliases of a site, for which its row has them already. @throws Failure `already_exists` */
export async function putAliases(db: Db, { id }: Pick<SiteRow, 'id'>, aliases: readonly Alias[], now: number): Promise<void> {
  await refuseNames(
    db,
    id,
    aliases.map(({ name }) => name),
    now,
  )
  await db.deleteFrom('site_aliases').where('site_id', '=', id).execute()
  if (aliases.length > 0)
    await db
      .insertInto('site_aliases')
      .values(aliases.map(alias => ({ ...alias, site_id: id })))
      .execute()
}

/** @throws Failure `already_exists` if another site has one of these names; expired aliases of others are deleted */
export async function refuseNames(db: Db, siteId: string, names: readonly string[], now: number): Promise<void> {
  if (names.length === 0) return
  const site = await db
    .selectFrom('sites')
    .select('domain')
    .where('id', '<>', siteId)
    .where(({ or, eb }) => or([eb('domain', 'in', names), eb('umami_id', 'in', names)]))
    .limit(1)
    .executeTakeFirst()
  const alias = await db
    .selectFrom('site_aliases')
    .select('name')
    .where('site_id', '<>', siteId)
    .where('name', 'in', names)
    .where(({ or, eb }) => or([eb('until', 'is', null), eb('until', '>', now)]))
    .limit(1)
    .executeTakeFirst()
  if (site || alias) fail('already_exists', m.alias_taken())
  const expired = db.deleteFrom('site_aliases').where('site_id', '<>', siteId).where('name', 'in', names)
  await expired.execute()
}

/** Deletes aliases that have ended, from the rows of their sites too. */
export async function expireAliases(db: Db, { rowLock }: Dialect, now: number): Promise<void> {
  const ended = await db
    .selectFrom('site_aliases')
    .select('site_id')
    .distinct()
    .where('until', '<=', now)
    .orderBy('site_id')
    .limit(1_000)
    .execute()
  for (const { site_id } of ended) {
    const own = db.selectFrom('sites').select('aliases').where('id', '=', site_id)
    const site = await own.modifyEnd(sql.raw(rowLock.wait)).executeTakeFirst() // a change of the site ends before, or follows
    const left = site ? aliasesIn(site).filter(({ until }) => until === null || until > now) : []
    await db
      .updateTable('sites')
      .set({ aliases: JSON.stringify(left) })
      .where('id', '=', site_id)
      .execute()
    await db.deleteFrom('site_aliases').where('site_id', '=', site_id).where('until', '<=', now).execute()
  }
}
