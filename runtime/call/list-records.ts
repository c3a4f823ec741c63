/** Records of any kind that a caller may list: for a search over all of them, which names no area. */
import { findersOf } from '../table/subject-finders.ts'
import { isObject } from '../values/json.ts'
import type { ListedRecord, Listing } from '../table/call-services.ts'
import type { NamedOperation, Table } from '../table/table.ts'
import type { Call } from './call.ts'
import { listedFor } from './complete-path.ts'
import { missingPermission } from './find-subjects.ts'

/** Pages of 100 that are read of one list. */
const maxPages = 5

interface Kind {
  readonly subject: string
  readonly list: NamedOperation
  /** Answers one record. */
  readonly getter: NamedOperation | undefined
}

const known = new WeakMap<Table, readonly Kind[]>()

/** Lists of a workspace or a site whose records have ids, except for those with records of a single person. */
function kindsOf(table: Table): readonly Kind[] {
  let kinds = known.get(table)
  if (!kinds) {
    const operations = [...table.operations.values()]
    const subjects = new Set(operations.flatMap(({ on }) => on.map(({ name }) => name)))
    kinds = [...subjects].flatMap(subject => {
      const list = findersOf(table, subject).find(({ on, access }) => access !== 'session' && isContainer(on.map(({ name }) => name)))
      if (!list) return []
      const getter = operations.find(({ method, path, output }) => method === 'GET' && path.endsWith('}') && output === list.output.items)
      return [{ subject, list, getter }]
    })
    known.set(table, kinds)
  }
  return kinds
}

const isContainer = (names: readonly string[]): boolean => names.length <= 1 && names.every(name => name === 'workspace' || name === 'site')

/** The kinds of records that can be searched, by the names of their subjects. */
export const listedKinds = (table: Table): string[] => kindsOf(table).map(({ subject }) => subject)

/** Reads as the caller, through each list's own checks. */
export async function listedRecords(call: Call, { workspaceId, siteIds, kinds, search }: Listing): Promise<ListedRecord[]> {
  const { table } = call.core
  const found: ListedRecord[] = []
  for (const { subject, list, getter } of kindsOf(table)) {
    if ((kinds && !kinds.has(subject)) || !call.caller || missingPermission(list, call.caller)) continue
    const [container] = list.on
    const ids = container?.name === 'site' ? siteIds : [workspaceId]
    for (const id of ids) {
      const path = container ? { [list.onParameters[0] ?? '']: id } : {}
      for (const record of await allOf(call, { list, path, search })) {
        found.push({
          kind: subject,
          ...named(record),
          siteId: container?.name === 'site' ? id : siteOf(record),
          path: pathOf(getter ?? list, path, String(record.id)),
        })
      }
    }
  }
  return found
}

async function allOf(
  call: Call,
  { list, path, search }: { list: NamedOperation; path: Record<string, unknown>; search: string },
): Promise<Record<string, unknown>[]> {
  const narrowed = Object.hasOwn(list.input.properties, 'search') ? { search } : {}
  const records: Record<string, unknown>[] = []
  for (let page = 1; page <= maxPages; page++) {
    const answer = await listedFor(call, list, { path, input: { per_page: 100, page, ...narrowed } })
    if (!answer) break
    const { data, meta } = answer
    if (Array.isArray(data)) records.push(...data.filter(isObject).filter(({ id }) => typeof id === 'string'))
    if (typeof meta.total_pages !== 'number' || page >= meta.total_pages) break
  }
  return records
}

/** The fields that people know a record by. */
const naming = ['name', 'domain', 'email', 'title', 'text', 'url'] as const

function named(record: Record<string, unknown>) {
  const names = naming.map(field => record[field]).filter(name => typeof name === 'string' && name !== '') as string[] // filtered in this line
  return { id: String(record.id), names, createdAt: typeof record.created_at === 'string' ? record.created_at : '' }
}

const siteOf = ({ site_id }: Record<string, unknown>): string | null => (typeof site_id === 'string' ? site_id : null)

function pathOf({ path, onParameters }: NamedOperation, known: Readonly<Record<string, unknown>>, id: string): string {
  const own = onParameters.at(-1) ?? 'id'
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(known[name] ?? (name === own ? id : ''))))
}
