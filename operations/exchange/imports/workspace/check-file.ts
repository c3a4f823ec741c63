/** Reads the whole file of a workspace once before anything is stored, so that a damaged one changes nothing. */
import { createHash } from 'node:crypto'
import { PERSONS } from '../../../../storage/hits/dictionaries.ts'
import type { Db } from '../../../../storage/store.ts'
import { yieldWhereDue } from '../../../../storage/system/event-loop.ts'
import type { ImportRow } from '../../../../storage/tables/index.ts'
import type { CarriedRow } from '../../../../storage/transfer/read-rows.ts'
import type { Archive } from '../sources/archive.ts'
import { isSoundRow } from './check-rows.ts'
import { dayFollower } from './day-lines.ts'
import { hasItsTexts, knownNumbers } from './known-numbers.ts'
import { idsIn, isTaken, namesFor, type Plan, refuseTakenNames, siteNamesIn } from './plan.ts'
import { damaged, readWorkspaceFile, type WorkspaceFile } from './read-file.ts'

export interface CheckedWorkspace {
  readonly plan: Plan
  readonly fingerprint: string
}

/** @throws JobFailure with the reason */
export async function checkWorkspace(db: Db, archive: Archive, row: ImportRow, now: number): Promise<CheckedWorkspace> {
  const hash = createHash('sha256')
  for await (const piece of archive.file.read()) hash.update(piece)
  const file = await readWorkspaceFile(archive)
  const names = siteNamesIn(file)
  const ids = idsIn(file)
  await checkSettings(file)
  const numbers = new Set(file.sites.map(({ number }) => number))
  if (numbers.size < file.sites.length) throw damaged('sites')
  const imports = new Set<string>()
  const texts = knownNumbers()
  const follower = dayFollower()
  const owners = ownersIn(file)
  for await (const piece of file.pieces()) {
    await yieldWhereDue()
    if (!piece.table) {
      if (!numbers.has(piece.line.site) || !follower.fits(piece.line) || !hasItsTexts(piece.line, texts)) throw damaged('days')
      continue
    }
    const { name, by } = piece.table
    for (const each of piece.rows) {
      if (!isSoundRow(name, each)) throw damaged(name)
      if (name === 'imports') imports.add(String(each.id))
      if (!(by === 'import_id' ? imports.has(String(each.import_id)) : owners.has(each.site_id))) throw damaged(name)
      if (name === 'dict' && !texts.add(Number(each.site_id), Number(each.dim), Number(each.id))) throw damaged(name)
      if (name === 'persons' && !texts.add(Number(each.site_id), PERSONS, Number(each.person))) throw damaged(name)
      await yieldWhereDue()
    }
  }
  await refuseTakenNames(db, names, now)
  const plan: Plan = { ids: (await isTaken(db, ids, [...imports])) ? 'new' : 'kept', sites: [] }
  const renamed = namesFor(row, plan, new Set(), file.description.workspace.id)
  const sites = file.sites.filter(({ kind }) => kind === 'site').map(({ id }) => renamed.of(String(id)))
  return { plan: { ...plan, sites }, fingerprint: hash.digest('hex') }
}

/** Ids and numbers of the sites: what rows of other tables may belong to. */
function ownersIn({ sites }: WorkspaceFile): ReadonlySet<unknown> {
  return new Set<unknown>(sites.flatMap(({ id, number }) => [id, number]))
}

async function checkSettings(file: WorkspaceFile): Promise<void> {
  const owners = ownersIn(file)
  const goals = new Set(rowsOf(file, 'goals').map(({ id }) => id))
  for (const each of file.sites) {
    if (!isSoundRow('sites', each)) throw damaged('sites')
    await yieldWhereDue()
  }
  for (const { table, rows } of file.settings) {
    for (const each of rows) {
      const isOwned =
        table.by === 'workspace_id'
          ? each.site_id === undefined || each.site_id === null || owners.has(each.site_id)
          : owners.has(each.site_id)
      const hasGroup = table.name !== 'group_sites' || owners.has(each.group_id)
      const hasGoal = each.goal_id === undefined || each.goal_id === null || goals.has(each.goal_id)
      if (!isOwned || !hasGroup || !hasGoal || !isSoundRow(table.name, each)) throw damaged(table.name)
      await yieldWhereDue()
    }
  }
}

export const rowsOf = ({ settings }: WorkspaceFile, name: string): readonly CarriedRow[] =>
  settings.find(({ table }) => table.name === name)?.rows ?? []
