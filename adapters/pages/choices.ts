/** Options for an input that takes the id of a record: the list of such records, as the viewer sees it. */
import type { TObject, TSchema } from '@sinclair/typebox'
import { cheapestFinder, findersOf } from '../../runtime/table/subject-finders.ts'
import { isObject } from '../../runtime/values/json.ts'
import type { NamedOperation, Table } from '../../runtime/table/table.ts'
import { bare } from '../../runtime/ui/cell.tsx'
import type { Option } from '../../runtime/ui/fields/control-props.ts'
import { nameOf } from '../../runtime/ui/list.tsx'

/** Reads a list as the viewer. Undefined if the viewer may not see it. */
export type AskList = (
  list: NamedOperation,
  path: Readonly<Record<string, string>>,
  input: Readonly<Record<string, unknown>>,
) => Promise<readonly unknown[] | undefined>

const idField = /^(\w+)_ids?$/
const maxChoices = 100

/**
 * Options by the field that takes the id.
 * @param known ids that the path and the record name, by the name of their record
 */
export async function choicesFor(
  table: Table,
  { input, known, ask }: { input: TObject; known: ReadonlyMap<string, string>; ask: AskList },
): Promise<Map<string, readonly Option[]>> {
  const choices = new Map<string, readonly Option[]>()
  for (const field of fieldsWithIds(input.properties)) {
    const [, name = ''] = idField.exec(field) ?? []
    const subject = [name, name.split('_').at(-1) ?? name].find(each => findersOf(table, each).length > 0)
    if (subject === undefined) continue
    const finder = cheapestFinder(table, subject, new Set(known.keys()))
    const path = finder?.on.map(({ name: each }, depth) => [finder.onParameters[depth] ?? '', known.get(each) ?? ''] as const) ?? []
    const missing = path.filter(([, id]) => id === '')
    if (!finder || missing.length > 1) continue
    const [parameter] = missing[0] ?? []
    const named = Object.fromEntries(path)
    const rows = parameter === undefined ? await ask(finder, named, { per_page: maxChoices }) : undefined
    const options =
      parameter === undefined ? rows?.flatMap(optionOf) : await optionsOfAll(table, { finder, path: named, parameter, known, ask })
    if (options) choices.set(field, options)
  }
  return choices
}

const maxContainers = 20
interface OptionsOfAll {
  readonly finder: NamedOperation
  readonly path: Readonly<Record<string, string>>
  readonly parameter: string
  readonly known: ReadonlyMap<string, string>
  readonly ask: AskList
}

/** Options of all sites, for a form about several sites. Each option includes the name of its site: goals and segments belong to a site. */
async function optionsOfAll(table: Table, { finder, path, parameter, known, ask }: OptionsOfAll): Promise<Option[] | undefined> {
  const container = finder.on[finder.onParameters.indexOf(parameter)]?.name ?? ''
  const lists = cheapestFinder(table, container, new Set(known.keys()))
  const above = lists?.on.map(({ name }, depth) => [lists.onParameters[depth] ?? '', known.get(name) ?? ''] as const) ?? []
  if (!lists || above.some(([, id]) => id === '')) return undefined
  const containers = (await ask(lists, Object.fromEntries(above), { per_page: maxContainers }))?.flatMap(optionOf) ?? []
  const found = await Promise.all(
    containers.map(async each => {
      const rows = (await ask(finder, { ...path, [parameter]: each.id }, { per_page: maxChoices })) ?? []
      return rows.flatMap(optionOf).map(({ id, name }) => ({ id, name: containers.length > 1 ? `${each.name}: ${name}` : name }))
    }),
  )
  return found.flat()
}

export function optionOf(row: unknown): Option[] {
  return isObject(row) && typeof row.id === 'string' ? [{ id: row.id, name: nameOf(row) ?? row.id }] : []
}

const withIds = new WeakMap<object, ReadonlySet<string>>()
function fieldsWithIds(properties: Readonly<Record<string, TSchema>>): ReadonlySet<string> {
  const known = withIds.get(properties) ?? findIds(properties)
  withIds.set(properties, known)
  return known
}

/** Finds fields with ids, also in nested records: for example, the goal of a funnel's step. */
function findIds(properties: Readonly<Record<string, TSchema>>): Set<string> {
  const found = new Set<string>()
  for (const [name, given] of Object.entries(properties)) {
    const { schema } = bare(given)
    if (idField.test(name)) found.add(name)
    const inside: TSchema = schema.type === 'array' ? (schema.items ?? {}) : schema
    for (const each of inside.properties ? findIds(inside.properties) : []) found.add(each)
  }
  return found
}
