/** The tools that the URL selects: `?toolsets=alerts,analytics`, `?readonly=1`, `?mode=search`. */
import type { NamedOperation, Table } from '../../runtime/table.ts'
import { fault, shown } from './message.ts'
import { byId, isTool } from './tools.ts'

export interface Offer {
  /** Two tools that find and call operations, instead of one tool for each. */
  readonly search: boolean
  readonly readonly: boolean
  /** Sorted by name. */
  readonly operations: readonly NamedOperation[]
  find(name: string): NamedOperation | undefined
}

/** @throws ProtocolFault for a toolset that does not exist, or a value that is not allowed */
export function offerOf(table: Table, query: URLSearchParams): Offer {
  const all = [...table.operations.values()].filter(isTool).sort(byId)
  const names = [...new Set(all.map(operation => slug(operation.section)))].sort()
  const wanted = (query.get('toolsets') ?? '').split(',').map(slug).filter(Boolean)
  const unknown = wanted.filter(name => !names.includes(name))
  if (unknown.length > 0) {
    fault('invalid_params', `There is no toolset ${shown(unknown.join(', '))}; toolsets are ${names.join(', ')}.`)
  }
  const readonly = flag(query, 'readonly', { '1': true, true: true, '0': false, false: false, '': false })
  const search = flag(query, 'mode', { search: true, tools: false, '': false })

  const operations = all
    .filter(({ section }) => wanted.length === 0 || wanted.includes(slug(section)))
    .filter(({ effect }) => !readonly || effect === 'read')
  const byName = new Map(operations.map(operation => [operation.id, operation]))
  return Object.freeze({ search, readonly, operations, find: (name: string) => byName.get(name) })
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
