/** A site that is not deleted: one domain, or a group of several. */
import { prepared } from '../../../storage/sql/prepared.ts'
import { after, type Awaitable } from '../../../storage/values/awaitable.ts'
import type { Db } from '../../../storage/store.ts'
import type { SiteRow } from '../../../storage/tables/index.ts'

export type LiveSite = SiteRow & {
  /** Domain of the site, or name of the group. */
  readonly domain: string
  /** The sites of a group, which its reports are about; undefined: it is a site. */
  readonly members?: readonly LiveSite[]
}

/** Sites of a group. A larger workspace has no group of all of its sites, but of its oldest ones. */
export const MAX_MEMBERS = 500

/** The ISO 4217 code for no currency: of a group whose sites have several, and so of no amount. */
export const NO_CURRENCY = 'XXX'

interface Deletable {
  domain: string | null
  deleted_at: number | null
}
/** Whether it is a site with a domain. False for a group. */
export function isLive<R extends Deletable>(row: R): row is R & { domain: string } {
  return row.domain !== null && row.deleted_at === null
}

const listedMembers = prepared('live-site.listed', (db, group: string, workspace: string) =>
  db
    .selectFrom('sites')
    .innerJoin('group_sites', 'group_sites.site_id', 'sites.id')
    .selectAll('sites')
    .where('group_sites.group_id', '=', group)
    .where('sites.workspace_id', '=', workspace)
    .where('sites.deleted_at', 'is', null)
    .orderBy('sites.created_at')
    .orderBy('sites.id'),
)
const allMembers = prepared('live-site.all', (db, workspace: string) =>
  db
    .selectFrom('sites')
    .selectAll()
    .where('workspace_id', '=', workspace)
    .where('domain', 'is not', null)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id'),
)

/** The site or group of a row; undefined if it is deleted. */
export function asLive(db: Db, row: SiteRow): Awaitable<LiveSite | undefined> {
  if (row.kind === 'site') return isLive(row) ? row : undefined
  if (row.deleted_at !== null) return undefined
  const members = row.kind === 'all' ? allMembers(db, row.workspace_id) : listedMembers(db, row.id, row.workspace_id)
  return after(members, rows => asGroup(row, rows.filter(isLive).slice(0, MAX_MEMBERS)))
}

/** A group with the settings that its sites share: in days of several time zones, the clock of each counts. */
function asGroup(row: SiteRow, members: readonly LiveSite[]): LiveSite {
  const shared = <T>(of: (site: LiveSite) => T, otherwise: T): T => {
    const [first] = members
    return first && members.every(site => of(site) === of(first)) ? of(first) : otherwise
  }
  return {
    ...row,
    domain: row.name,
    members,
    timezone: shared(site => site.timezone, 'UTC'),
    currency: shared(site => site.currency, NO_CURRENCY),
    week_start: shared(site => site.week_start, 1),
    identity: members.some(({ identity }) => identity === 'declared') ? 'declared' : 'off',
    old_days_before: null,
    old_days_from: null,
  }
}

/** Whether the sites of a group have several time zones, so that its times are clock times of each. */
export const hasSeveralZones = ({ members }: LiveSite): boolean =>
  members !== undefined && members.some(({ timezone }) => timezone !== members[0]?.timezone)

/** Whether the sites of a group have several currencies, so that their amounts do not add up. */
export const hasSeveralCurrencies = ({ members, currency }: LiveSite): boolean =>
  members !== undefined && currency === NO_CURRENCY && members.length > 0

/** The id of the group of all sites of a workspace. */
export const allSitesOf = (workspaceId: string): string => `pa_${workspaceId.replace(/^ws_/, '')}`
