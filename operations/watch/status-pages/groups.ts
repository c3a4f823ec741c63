/** The groups of checks on a page, in order. */
import { fieldAt } from '../../../runtime/table/fault-message.ts'
import { m } from './messages.ts'
import { fieldTerm } from '../../../runtime/texts/message.ts'
import { type Caller, maySee } from '../../../runtime/table/caller.ts'
import type { Fault } from '../../../runtime/table/errors.ts'
import type { Db } from '../../../storage/store.ts'
import { limits } from './limits.ts'

export interface Group {
  name: string
  checks: { check_id: string; label: string | null }[]
}

export interface GivenGroup {
  readonly name: string
  readonly checks: readonly { readonly check_id: string; readonly label?: string | null | undefined }[]
}

/** Groups of each of these pages. */
export async function groupsOf(db: Db, pageIds: readonly string[]): Promise<(pageId: string) => Group[]> {
  if (pageIds.length === 0) return () => []
  const groups = await db
    .selectFrom('status_page_groups')
    .selectAll()
    .where('page_id', 'in', [...pageIds])
    .orderBy('position')
    .execute()
  const checks = await db
    .selectFrom('status_page_checks as p')
    .innerJoin('uptime_checks as c', 'c.number', 'p.check_number')
    .select(['p.page_id', 'p.group_position', 'p.label', 'c.id'])
    .where('p.page_id', 'in', [...pageIds])
    .orderBy('p.position')
    .execute()
  return pageId =>
    groups
      .filter(({ page_id }) => page_id === pageId)
      .map(({ name, position }) => ({
        name,
        checks: checks
          .filter(({ page_id, group_position }) => page_id === pageId && group_position === position)
          .map(({ id, label }) => ({ check_id: id, label })),
      }))
}

/**
 * Finds the number of each check that the groups name, and returns a fault for every other check.
 * @param kept the page's present groups; a check in them that is no longer public may stay, but is not shown
 */
export async function settleGroups(
  db: Db,
  { caller, given, kept = [] }: { caller: Caller; given: readonly GivenGroup[]; kept?: readonly Group[] | undefined },
): Promise<{ numbers: ReadonlyMap<string, number>; faults: Fault[] }> {
  const named = given.flatMap(({ checks }, group) => checks.map(({ check_id }, at) => ({ check_id, group, at })))
  const wanted = [...new Set(named.map(({ check_id }) => check_id))].filter(id => /^[\w-]{1,64}$/.test(id))
  const rows =
    wanted.length === 0
      ? []
      : await db
          .selectFrom('uptime_checks')
          .select(['id', 'number', 'site_id', 'public', 'workspace_id'])
          .where('workspace_id', '=', caller.workspaceId)
          .where('id', 'in', wanted)
          .execute()
  const known = new Map(rows.filter(row => maySee(caller, row.workspace_id, row.site_id)).map(row => [row.id, row]))
  const seen = new Set<string>()
  const keptIds = new Set(kept.flatMap(({ checks }) => checks.map(({ check_id }) => check_id)))
  const faults: Fault[] = named.flatMap(({ check_id, group, at }): Fault[] => {
    const pointer = `/groups/${group}/checks/${at}/check_id`
    const field = fieldAt(pointer)
    const row = known.get(check_id)
    if (!row)
      return [
        {
          pointer,
          code: 'not_found',
          message: m.unknown_check({ field, received: JSON.stringify(check_id.slice(0, 64)) }),
        },
      ]
    if (seen.has(check_id)) return [{ pointer, code: 'mismatch', message: m.check_repeated({ field }) }]
    seen.add(check_id)
    return row.public === 1 || keptIds.has(check_id)
      ? []
      : [
          {
            pointer,
            code: 'mismatch',
            message: m.check_not_public({ field }),
          },
        ]
  })
  if (named.length > limits.checks)
    faults.push({
      pointer: '/groups',
      code: 'too_many_items',
      message: m.too_many_checks({ field: fieldTerm('groups'), most: limits.checks, received: named.length }),
    })
  return { numbers: new Map(rows.map(({ id, number }) => [id, number])), faults }
}

interface SetGroups {
  readonly pageId: string
  readonly given: readonly GivenGroup[]
  readonly numbers: ReadonlyMap<string, number>
}

/** Replaces the groups and checks of the page. */
export async function setGroups(db: Db, { pageId, given, numbers }: SetGroups): Promise<void> {
  await db.deleteFrom('status_page_groups').where('page_id', '=', pageId).execute()
  await db.deleteFrom('status_page_checks').where('page_id', '=', pageId).execute()
  if (given.length > 0)
    await db
      .insertInto('status_page_groups')
      .values(given.map(({ name }, position) => ({ page_id: pageId, position, name })))
      .execute()
  const checks = given.flatMap((group, group_position) =>
    group.checks.flatMap(({ check_id, label }, position) => {
      const check_number = numbers.get(check_id)
      return check_number === undefined ? [] : [{ page_id: pageId, check_number, group_position, position, label: label || null }]
    }),
  )
  if (checks.length > 0) await db.insertInto('status_page_checks').values(checks).execute()
}
