/** A site sends hits and has reports. */
import { Type } from '@sinclair/typebox'
import { type Selectable, sql } from 'kysely'
import { CalendarDay, DateTime, iso, Nullable, OneOf, record, type Static, help } from '../../../runtime/table/schema.ts'
import type { Suggestions } from '../../../runtime/ui/fields/suggestions.ts'
import { slot } from '../../../runtime/ui/slot.ts'
import { type FoundSubject, subject } from '../../../runtime/table/subject.ts'
import { after } from '../../../storage/values/awaitable.ts'
import { prepared } from '../../../storage/sql/prepared.ts'
import type { Db } from '../../../storage/store.ts'
import type { SiteRow, Tables } from '../../../storage/tables/index.ts'
import { dateOf, localDay } from '../../../storage/calendar/zones.ts'
import { idKind } from '../../../runtime/values/ids.ts'
import { aliasesIn } from './aliases.ts'
import { identityFields, identityOf } from './identity.ts'
import { asLive, hasSeveralCurrencies, type LiveSite } from './live-site.ts'

export const ids = { site: idKind('pa_') }

export const Site = record(
  'Site',
  {
    id: Type.String({ description: 'Prefix `pa_`.' }),
    workspace_id: Type.String({ description: 'Workspace of the site.' }),
    name: Type.String({ description: 'Name in lists and reports.' }),
    kind: OneOf(['site', 'group'], { description: '`group`: several sites, whose reports cover all of them together.' }),
    domain: Nullable(Type.String(), { description: 'Domain that its pages send in `data-domain`, without `www.`; null for a group.' }),
    timezone: Type.String({ description: 'IANA time zone of the days in reports.' }),
    currency: Type.String({ description: 'ISO 4217 currency of revenue.', [help]: 'Currency of revenue, for example EUR.' }),
    public: Type.Boolean({ description: 'Whether anyone may see the badge and public figures of the site.' }),
    week_start: Type.Integer({ unit: 'weekday', description: 'First day of the week: 1 is Monday, 7 is Sunday.' }),
    umami_id: Nullable(Type.String(), { description: 'Website id (UUID) of an Umami snippet on the pages.' }),
    aliases: Type.Array(Type.String(), {
      description: 'Other names whose hits count for the site: domains, and ids of other products. A former domain is one for 72 hours.',
    }),
    aliases_until: Nullable(DateTime(), { description: 'When the first of the aliases ends; null: none does.' }),
    page_parameters: Type.Array(Type.String(), { description: 'Query parameters that are part of a page, for example `p` in `/?p=12`.' }),
    ignored_referrers: Type.Array(Type.String(), { description: 'Hosts that are never a source, with their subdomains.' }),
    ignore_known_referrers: Type.Boolean({ description: 'Whether payment providers and sign-in pages are never a source.' }),
    ignore_own_sites: Type.Boolean({ description: 'Whether other sites of the workspace are never a source.' }),
    ...identityFields,
    visit_list: Type.Boolean({
      description: 'Whether single visits are listed, with their pages and events.',
      [help]: 'Lists single visits with their pages and events, for members who may export. Reports and exports do not change.',
    }),
    days_cut_anew: Nullable(
      Type.Object({
        from: Nullable(CalendarDay(), { description: 'Days before are done; null: none are.' }),
        to: CalendarDay({ description: 'Days from this one on are stored in the time zone.' }),
      }),
      { description: 'Days that are still being cut after a change of the time zone; null: none.' },
    ),
    created_at: DateTime({ description: 'When the site was created.' }),
  },
  'A site: one domain that sends hits, with the settings of its reports.',
)

/** Periods of the figures in lists of sites. */
export const sitePeriods = ['24h', '7d', '30d', '12mo'] as const
export type SitePeriod = (typeof sitePeriods)[number]

/** Figures of a site for lists; the reports supply them. */
export interface SiteFigures {
  /** Visitors of each point of the period, null for an imported day without. */
  readonly series: readonly (number | null)[]
  readonly now: SiteSums
  /** Sums of the same number of days before the period. */
  readonly before: SiteSums | undefined
  /** Visitors who are on the site now. */
  readonly live: number
  /** Visits since the viewer last opened a page of the site; undefined if that is not known. */
  readonly newVisits: number | undefined
}
/** Values of a dimension that the hits of a site have, for fields that take one. Most visitors first. */
export interface KnownValuesOf {
  readonly siteId: string
  /** A dimension of reports, or `property` for the keys of properties. */
  readonly dimension: string
  /** The typed text; only values that contain it. */
  readonly text?: string | undefined
  /** Conditions of the hits. */
  readonly filters?: readonly (readonly [dimension: string, operator: 'is', value: string])[] | undefined
}
export const knownValues = slot<KnownValuesOf, Suggestions>('known values of a dimension')

/** How many visits of the last 30 days meet conditions, before they are saved: in a segment, or in a rule. */
export const segmentPreview = slot<{
  readonly siteId: string
  readonly filters: unknown
  /** The visits will not be counted. */
  readonly isLeftOut?: boolean | undefined
}>('preview of a segment')

/** Null is unknown, undefined is hidden from the viewer. */
export interface SiteSums {
  readonly visitors: number | null | undefined
  readonly pageviews: number | null | undefined
  /** In minor units of the currency of the site. */
  readonly revenue: number | null | undefined
}
/** Figures by the id of the site, without sites whose reports the viewer may not see. */
export const siteFigures = slot<
  { readonly sites: readonly Static<typeof Site>[]; readonly period: SitePeriod },
  ReadonlyMap<string, SiteFigures>
>('figures of sites')

/** Visitors of today by the id of the site; the reports supply them. */
export const visitorsToday = slot<{ readonly sites: readonly { readonly id: string }[] }, ReadonlyMap<string, number>>('visitors of today')

export { allSitesOf, asLive, hasSeveralCurrencies, hasSeveralZones, isLive, type LiveSite, NO_CURRENCY } from './live-site.ts'

const findSite = prepared('sites/records.site', (db, id: string) =>
  db.selectFrom('sites').selectAll().where('id', '=', id).where('deleted_at', 'is', null),
)

export const site = subject<'site', LiveSite>({
  name: 'site',
  calledBy: 'domain',
  zoneOf: ({ timezone }) => timezone,
  find: (db, id) =>
    after(findSite(db, id), ([row]) =>
      after(row && asLive(db, row), one => {
        if (!one) return undefined
        const { workspace_id: workspaceId, id: siteId, members } = one
        const found = { row: one, workspaceId, siteId }
        return members ? { ...found, isGroup: true as const, hasNoMoney: hasSeveralCurrencies(one) } : found
      }),
    ),
  lock: async (db, id) =>
    live(
      db,
      await db
        .updateTable('sites')
        .set(({ ref }) => ({ name: ref('name') }))
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .returningAll()
        .executeTakeFirst(),
    ),
  hold: async (db, id, dialect) =>
    live(
      db,
      await db
        .selectFrom('sites')
        .selectAll()
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .modifyEnd(sql.raw(dialect.rowLock.shared))
        .executeTakeFirst(),
    ),
})

const live = async (db: Db, row: SiteRow | undefined): Promise<LiveSite | undefined> => row && asLive(db, row)

type OfSite = { [T in keyof Tables]: Selectable<Tables[T]> extends { id: string; site_id: string } ? T : never }[keyof Tables]

/** The `find` of a subject that belongs to a site, for example `find: ofSite('notes')`. */
export function ofSite<T extends OfSite & string>(table: T) {
  return async (db: Db, id: string): Promise<FoundSubject<Selectable<Tables[T]>> | undefined> => {
    const {
      rows: [row],
    } = await sql<Selectable<Tables[T]> & { workspace_id: string; site_id: string }>`
      select o.*, s.workspace_id from ${sql.table(table)} as o join sites as s on s.id = o.site_id
      where o.id = ${id}`.execute(db)
    return row && { row, workspaceId: row.workspace_id, siteId: row.site_id }
  }
}

export function toSite(row: Omit<LiveSite, 'number'>): Static<typeof Site> {
  return {
    id: row.id,
    workspace_id: row.workspace_id,
    name: row.name,
    kind: row.kind === 'site' ? ('site' as const) : ('group' as const),
    domain: row.kind === 'site' ? row.domain : null,
    timezone: row.timezone,
    currency: row.currency,
    public: row.public === 1,
    week_start: row.week_start,
    umami_id: row.umami_id,
    aliases: aliasesIn(row).map(({ name }) => name),
    aliases_until: iso(firstEnd(row)),
    page_parameters: JSON.parse(row.page_parameters),
    ignored_referrers: JSON.parse(row.ignored_referrers),
    ignore_known_referrers: row.ignore_known_referrers === 1,
    ignore_own_sites: row.ignore_own_sites === 1,
    ...identityOf(row),
    visit_list: row.visit_list === 1,
    days_cut_anew: cutAnew(row),
    created_at: iso(row.created_at),
  }
}

function firstEnd(row: Pick<LiveSite, 'aliases'>): number | null {
  const ends = aliasesIn(row).flatMap(({ until }) => until ?? [])
  return ends.length === 0 ? null : Math.min(...ends)
}

function cutAnew({ timezone, old_days_before: before, old_days_from: from }: Omit<LiveSite, 'number'>) {
  const dateIn = (at: number) => dateOf(localDay(timezone, at).day)
  return before === null ? null : { from: from === null ? null : dateIn(from), to: dateIn(before) }
}
