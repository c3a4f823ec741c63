/** Records to choose from where an input takes the id of another: the list of their kind, as the viewer sees it. */
import type { TObject, TSchema } from '@sinclair/typebox'
import { finderBeside, findersOf } from '../../runtime/finders.ts'
import { isObject } from '../../runtime/json.ts'
import type { NamedOperation, Table } from '../../runtime/table.ts'
import { bare } from './cell.tsx'
import type { Option } from './fields/field.tsx'
import { nameOf } from './list.tsx'

/** Asks a list as the viewer; undefined where it may not be seen. */
export type AskList = (
  list: NamedOperation,
  path: Readonly<Record<string, string>>,
  input: Readonly<Record<string, unknown>>,
) => Promise<readonly unknown[] | undefined>

const idField = /^(\w+)_ids?$/
const mostChoices = 100

/**
 * By the field that takes the id.
 * @param known ids by the name of what they are of: what the path and the record name
 */
export async function choicesFor(
  table: Table,
  input: TObject,
  known: ReadonlyMap<string, string>,
  ask: AskList,
): Promise<Map<string, readonly Option[]>> {
  const choices = new Map<string, readonly Option[]>()
  for (const field of fieldsWithIds(input.properties)) {
    const [, name = ''] = idField.exec(field) ?? []
    const subject = [name, name.split('_').at(-1) ?? name].find(each => findersOf(table, each).length > 0)
    if (subject === undefined) continue
    const finder = finderBeside(table, subject, new Set(known.keys()))
    const path = finder?.on.map(({ name: each }, depth) => [finder.onParameters[depth] ?? '', known.get(each) ?? ''] as const) ?? []
    if (!finder || path.some(([, id]) => id === '')) continue
    const rows = await ask(finder, Object.fromEntries(path), { per_page: mostChoices })
    if (rows) choices.set(field, rows.flatMap(optionOf))
  }
  return choices
}

function optionOf(row: unknown): Option[] {
  return isObject(row) && typeof row.id === 'string' ? [{ id: row.id, name: nameOf(row) ?? row.id }] : []
}

/** Those of nested records too: the goal of a funnel's step. */
function fieldsWithIds(properties: Readonly<Record<string, TSchema>>): Set<string> {
  const found = new Set<string>()
  for (const [name, given] of Object.entries(properties)) {
    const { schema } = bare(given)
    if (idField.test(name)) found.add(name)
    const inside: TSchema = schema.type === 'array' ? (schema.items ?? {}) : schema
    for (const each of inside.properties ? fieldsWithIds(inside.properties) : []) found.add(each)
  }
  return found
}
