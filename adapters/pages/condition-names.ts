/** Names of the records that conditions name by their ids, such as the goal in `["goal", "is", "goal_…"]`. */
import { Type } from '@sinclair/typebox'
import { withIds } from '../../runtime/texts/code-names.ts'
import type { Table } from '../../runtime/table/table.ts'
import { isObject } from '../../runtime/values/json.ts'
import { type AskList, choicesFor } from './choices.ts'

interface ConditionNames {
  /** Anything that may contain conditions. */
  readonly within: unknown
  readonly known: ReadonlyMap<string, string>
  readonly ask: AskList
}

/** Names by id, of the records that the viewer may list; undefined if no condition has an id. */
export async function conditionNames(
  table: Table,
  { within, known, ask }: ConditionNames,
): Promise<ReadonlyMap<string, string> | undefined> {
  const found = [...new Set(dimensionsIn(within))]
  if (found.length === 0) return undefined
  const input = Type.Object(Object.fromEntries(found.map(name => [`${name}_id`, Type.String()])))
  const choices = await choicesFor(table, { input, known, ask })
  return new Map([...choices.values()].flat().map(({ id, name }) => [id, name]))
}

/** The dimensions with ids that conditions within a value have. */
function* dimensionsIn(value: unknown): Generator<string> {
  if (Array.isArray(value) && value.length === 3 && typeof value[0] === 'string') {
    if (withIds.has(value[0])) yield value[0]
  } else if (Array.isArray(value) || isObject(value)) for (const each of Object.values(value)) yield* dimensionsIn(each)
}
