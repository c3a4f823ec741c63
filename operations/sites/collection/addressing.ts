/** Settings of a site that say what its pages and sources are. */
import type { Db } from '../../../storage/store.ts'
import type { SiteRow } from '../../../storage/tables/index.ts'
import { aliasDomains } from '../sites/index.ts'
import type { EnrichedFor } from './enrich/enriched.ts'

export type AddressingRow = Pick<
  SiteRow,
  'domain' | 'aliases' | 'page_parameters' | 'ignored_referrers' | 'ignore_known_referrers' | 'ignore_own_sites'
>

const none: readonly string[] = Object.freeze([])
const listIn = (json: string): readonly string[] => (json === '[]' ? none : (JSON.parse(json) as string[])) // a list of texts

/** @param ownDomains domains of the workspace's sites */
export function addressing(row: AddressingRow, ownDomains: readonly string[] = none): Pick<EnrichedFor, 'pageParameters' | 'ignoring'> {
  const own = row.ignore_own_sites === 1 ? ownDomains : none
  return {
    pageParameters: listIn(row.page_parameters),
    ignoring: {
      hosts: new Set([...(row.domain === null ? [] : [row.domain]), ...aliasDomains(row), ...listIn(row.ignored_referrers), ...own]),
      ignoresKnown: row.ignore_known_referrers === 1,
    },
  }
}

/** The domains of the sites of each workspace, for workspaces with a site that ignores them as sources. */
export async function ownDomainsByWorkspace(
  db: Db,
  sites: ReadonlyArray<Pick<SiteRow, 'workspace_id' | 'ignore_own_sites'>>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const workspaces = [...new Set(sites.filter(site => site.ignore_own_sites === 1).map(site => site.workspace_id))]
  if (workspaces.length === 0) return new Map()
  const rows = await db
    .selectFrom('sites')
    .select(['workspace_id', 'domain'])
    .where('workspace_id', 'in', workspaces)
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(workspaces.map(id => [id, rows.flatMap(row => (row.workspace_id === id && row.domain !== null ? [row.domain] : []))]))
}
