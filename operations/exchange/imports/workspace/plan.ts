/**
 * How the records of a workspace's file are named here. Ids stay as they are, so that what refers to them from outside still works.
 * If one of them is taken, for example because the file comes from the same installation, all records get new ids, which
 * the id of the import determines: a run that continues another one finds the same.
 */
import { createHash } from 'node:crypto'
import { JobFailure } from '../../../../runtime/tasks/job.ts'
import { makeId } from '../../../../runtime/values/ids.ts'
import type { Db } from '../../../../storage/store.ts'
import type { ImportRow, TableName } from '../../../../storage/tables/index.ts'
import { takenIds } from '../../../../storage/transfer/write-rows.ts'
import { allSitesOf } from '../../../sites/sites/records.ts'
import { m } from '../messages.ts'
import { damaged, type WorkspaceFile } from './read-file.ts'
import { addTo } from '../../../../storage/values/grouped.ts'

/** Kept in `imports.map` from the start on. */
export interface Plan {
  readonly ids: 'kept' | 'new'
  /** Ids that the sites have here. */
  readonly sites: readonly string[]
}
export const planOf = ({ map }: Pick<ImportRow, 'map'>): Plan => ({ ids: 'kept', sites: [], ...JSON.parse(map) })

const form = /^[a-z]{2,5}_[0-9a-z]{4,50}$/
const inText = /\b[a-z]{2,5}_[0-9a-z]{4,50}\b/g

/** The ids of the file by their table. @throws JobFailure if one is none, or is there twice */
export function idsIn({ sites, settings }: WorkspaceFile): ReadonlyMap<TableName, readonly string[]> {
  const found = new Map<TableName, string[]>()
  const seen = new Set<string>()
  const add = (table: TableName, id: string) => {
    if (!form.test(id) || seen.has(id)) throw damaged(table)
    seen.add(id)
    addTo(found, table, id)
  }
  for (const { id } of sites) add('sites', String(id))
  for (const { table, rows } of settings) if (table.columns.includes('id')) for (const { id } of rows) add(table.name, String(id))
  return found
}

/** @param imports ids of imports, which are not among the settings */
export async function isTaken(db: Db, ids: ReadonlyMap<TableName, readonly string[]>, imports: readonly string[]): Promise<boolean> {
  for (const [table, some] of [...ids, ['imports', imports] as const]) if ((await takenIds(db, table, some)).length > 0) return true
  // The group of all sites of a workspace is named after it.
  const groups = (ids.get('sites') ?? []).map(id => id.replace(/^pa_/, 'ws_'))
  return (await takenIds(db, 'workspaces', groups)).length > 0
}

export interface Names {
  /** The id that a record of the file has here. */
  of(id: string): string
  /** Replaces the ids of records in JSON by their ids here. */
  inJson(text: string): string
}

export function namesFor(
  row: Pick<ImportRow, 'id' | 'created_at' | 'workspace_id'>,
  plan: Plan,
  known: { has(id: string): boolean },
  workspace: string,
): Names {
  const groups = [allSitesOf(workspace), allSitesOf(row.workspace_id)] as const
  const of = (id: string): string => {
    if (plan.ids === 'kept') return id
    const random = createHash('sha256').update(`${row.id} ${id}`).digest().subarray(0, 14)
    return makeId({ prefix: id.slice(0, id.indexOf('_') + 1) }, row.created_at, random)
  }
  return {
    of,
    inJson: text => text.replace(inText, id => (id === groups[0] ? groups[1] : known.has(id) ? of(id) : id)),
  }
}

/** The names that hits are counted by, which one site of an installation has. @throws JobFailure if the file gives one twice */
export function siteNamesIn({ sites, settings }: WorkspaceFile): string[] {
  const aliases = settings.find(({ table }) => table.name === 'site_aliases')?.rows ?? []
  const all = [...sites.flatMap(({ domain, umami_id }) => [domain, umami_id]), ...aliases.map(({ name }) => name)].flatMap(name =>
    typeof name === 'string' ? [name] : [],
  )
  if (new Set(all).size < all.length) throw damaged('sites')
  return all
}

/** @throws JobFailure `already_exists` that gives the names of other sites */
export async function refuseTakenNames(db: Db, names: readonly string[], now: number): Promise<void> {
  const taken = new Set<string>()
  for (let from = 0; from < names.length; from += 200) {
    const some = names.slice(from, from + 200)
    const sites = db
      .selectFrom('sites')
      .select(['domain', 'umami_id'])
      .where(({ or, eb }) => or([eb('domain', 'in', some), eb('umami_id', 'in', some)]))
    for (const { domain, umami_id } of await sites.execute())
      for (const name of [domain, umami_id]) if (name !== null && some.includes(name)) taken.add(name)
    const aliases = db.selectFrom('site_aliases').select('name').where('name', 'in', some)
    const lasting = aliases.where(({ or, eb }) => or([eb('until', 'is', null), eb('until', '>', now)]))
    for (const { name } of await lasting.execute()) taken.add(name)
  }
  if (taken.size > 0) throw new JobFailure('already_exists', m.sites_exist({ names: [...taken].slice(0, 10).join(', ') }))
}
