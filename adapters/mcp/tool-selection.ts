/** The tools that the URL selects: `?toolsets=everyday`, `?readonly=1`, `?mode=search`, `?schemas=output`. */
import { cheapestFinder } from '../../runtime/table/subject-finders.ts'
import type { NamedOperation, Table } from '../../runtime/table/table.ts'
import { fault, shown } from './message.ts'
import { byId, isTool } from './tools.ts'

export interface Offer {
  /** Whether two tools find and call operations, instead of one tool for each. */
  readonly search: boolean
  readonly readonly: boolean
  /** Whether the list has output schemas. */
  readonly outputSchemas: boolean
  /** Sorted by name. */
  readonly operations: readonly NamedOperation[]
  /** Operations of `tools_search` and `tools_call`, sorted by name; null without these two. */
  readonly searched: readonly NamedOperation[] | null
  find(name: string): NamedOperation | undefined
}

/** The toolset of the operations that areas declare in `everyday`. All others are found by `tools_search`, which is listed as well. */
export const everyday = 'everyday'

/** Every toolset by its name: `everyday`, and one for each section. */
export function toolsetNames(operations: Iterable<NamedOperation>): string[] {
  return [everyday, ...[...new Set([...operations].filter(isTool).map(({ section }) => slug(section)))].sort()]
}

/** @throws ProtocolFault for a toolset that does not exist, or a value that is not allowed */
export function offerOf(table: Table, query: URLSearchParams): Offer {
  const all = [...table.operations.values()].filter(isTool).sort(byId)
  const names = toolsetNames(all)
  const wanted = (query.get('toolsets') ?? '').split(',').map(slug).filter(Boolean)
  const unknown = wanted.filter(name => !names.includes(name))
  if (unknown.length > 0) {
    fault('invalid_params', `There is no toolset ${shown(unknown.join(', '))}; toolsets are ${names.join(', ')}.`)
  }
  const readonly = flag(query, 'readonly', { '1': true, true: true, '0': false, false: false, '': false })
  const search = flag(query, 'mode', { search: true, tools: false, '': false })
  const isListedOnly = query.get('mode') === 'tools'
  const outputSchemas = flag(query, 'schemas', { output: true, input: false, '': false })

  const selected = all.filter(({ section, ...each }) => wanted.includes(slug(section)) || (each.everyday && wanted.includes(everyday)))
  const narrowed = (each: readonly NamedOperation[]) => each.filter(({ effect }) => !readonly || effect === 'read')
  const operations = narrowed(wanted.length === 0 ? all : withIdLists(table, selected))
  const searched = search ? operations : wanted.includes(everyday) && !isListedOnly ? narrowed(all) : null
  const byName = new Map(operations.map(operation => [operation.id, operation]))
  return Object.freeze({ search, readonly, outputSchemas, operations, searched, find: (name: string) => byName.get(name) })
}

/**
 * Adds the lists that return the ids that these tools require. Leaves out lists without required arguments, because the ids that
 * they return, for example of workspaces, may be omitted.
 */
function withIdLists(table: Table, selected: readonly NamedOperation[]): NamedOperation[] {
  const chosen = new Set(selected)
  for (const { on } of chosen) {
    for (const { name } of on) {
      const named = new Set(on.map(each => each.name).filter(each => each !== name))
      const finder = cheapestFinder(table, name, named)
      if (finder && finder.on.length > 0 && isTool(finder)) chosen.add(finder) // the iteration of a set includes values that are added meanwhile
    }
  }
  return [...chosen].sort(byId)
}

/** `API tokens` → `api-tokens` */
export function slug(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
}

function flag(query: URLSearchParams, name: string, meanings: Readonly<Record<string, boolean>>): boolean {
  const text = query.get(name) ?? ''
  if (Object.hasOwn(meanings, text)) return meanings[text] === true
  const wanted = Object.keys(meanings).filter(Boolean).join(', ')
  fault('invalid_params', `${name} must be one of ${wanted}; received ${shown(text)}.`)
}
