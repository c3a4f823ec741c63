/** A site's stored segments and goals, which reports refer to. */
import { fieldAt } from '../../../runtime/table/fault-message.ts'
import type { Fault } from '../../../runtime/table/errors.ts'
import { prepared } from '../../../storage/sql/prepared.ts'
import type { Db } from '../../../storage/store.ts'
import { type Condition, type Goal, type GoalOfSite, leavesOf, type Test } from '../../../storage/engine/vocabulary/scope.ts'
import { sense } from '../../../storage/engine/vocabulary/operators.ts'
import { goalColumns, goalOfRow } from '../../sites/goals/index.ts'
import { parseFilters } from '../../sites/segments/index.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import { fieldTerm } from '../../../runtime/texts/message.ts'
import { m } from './messages.ts'

export interface AppliedSegment {
  readonly conditions: readonly Condition[]
  /** Conditions as they were stored, in the same order. */
  readonly given: readonly unknown[]
  readonly shown: { readonly id: string; readonly name: string }
}

/** Returns the segment, or a fault if it cannot be applied. */
export async function readSegment(db: Db, siteId: string, id: string): Promise<AppliedSegment | Fault> {
  const pointer = '/segment_id'
  const row = /^[\w-]{1,64}$/.test(id) ? await findSegment(db, siteId, id) : undefined
  if (!row) {
    const message = m.unknown_segment({ field: fieldTerm('segment_id'), received: JSON.stringify(id.slice(0, 64)) })
    return { pointer, code: 'not_found', message }
  }
  const given: unknown = JSON.parse(row.filters)
  const {
    conditions,
    faults: [fault],
  } = parseFilters(given, pointer)
  if (fault) return { pointer, code: 'mismatch', message: m.segment_not_applied({ fault: fault.message }) }
  return { conditions, given: Array.isArray(given) ? given : [], shown: { id: row.id, name: row.name } }
}

const findSegment = (db: Db, siteId: string, id: string) =>
  db.selectFrom('saved_segments').select(['id', 'name', 'filters']).where('id', '=', id).where('site_id', '=', siteId).executeTakeFirst()

/** The goals of a site, or of the sites of a group: there, goals of one name are one goal, with the id of the oldest site that has it. */
export async function goalsOf(db: Db, { id, members }: Pick<LiveSite, 'id' | 'members'>): Promise<Goal[]> {
  if (!members) return ownGoalsOf(db, id)
  const together = new Map<string, Goal & { readonly ofSites: GoalOfSite[] }>()
  for (const { id: site } of members) {
    for (const goal of await ownGoalsOf(db, site)) {
      const before = together.get(goal.name)
      if (before) before.ofSites.push({ site, goal })
      else together.set(goal.name, { ...goal, ofSites: [{ site, goal }] })
    }
  }
  return [...together.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function ownGoalsOf(db: Db, siteId: string): Promise<Goal[]> {
  const rows = await goalsByName(db, siteId)
  return rows.map(({ currency, ...row }) => goalOfRow(row, currency))
}

const goalsByName = prepared('saved.goals', (db, siteId: string) =>
  db
    .selectFrom('goals')
    .innerJoin('sites', 'sites.id', 'goals.site_id')
    .select([...goalColumns, 'sites.currency'])
    .where('goals.site_id', '=', siteId)
    .orderBy('goals.name'),
)

/** Returns faults for unknown goals in an input. (A segment may contain a goal that was deleted since; it then matches nothing.) */
export const unknownGoals = (conditions: readonly Condition[], goals: readonly Goal[]): Fault[] =>
  conditions.flatMap(leavesOf).flatMap(test => (names(test, goals) ? [] : [unknownGoal(test, goals)]))

function names({ dimension, operator, values }: Test, goals: readonly Goal[]): boolean {
  if (dimension !== 'goal' || !['is', 'any_of'].includes(sense(operator).positive)) return true
  return values.every(value => goals.some(({ id, name }) => value === id || value === name))
}

function unknownGoal({ pointer }: Test, goals: readonly Goal[]): Fault {
  const known = listed(goals.slice(0, 20).map(({ name }) => name))
  const message = m.unknown_goal({ field: fieldAt(`${pointer}/2`), known })
  return { pointer: `${pointer}/2`, code: 'not_found', message }
}

/** @param received an id in `goal_id` that is not one of the site's goals */
export function unknownGoalId(received: string, goals: readonly Goal[]): Fault {
  const known = listed(goals.slice(0, 20).map(({ id, name }) => `${id} (${name})`))
  const message = m.unknown_goal_id({ field: fieldTerm('goal_id'), known, received: JSON.stringify(received) })
  return { pointer: '/goal_id', code: 'not_found', message }
}

const listed = (names: readonly string[]) => (names.length > 0 ? names : m.none())
