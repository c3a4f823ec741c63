/**
 * Derives pages from the table: which forms each page has, where a record of a list is shown, and
 * which pages the navigation lists. No operation is named.
 */
import type { TSchema } from '@sinclair/typebox'
import { type NavigationGroup, navigationGroups, type Place, tabbedPlaces } from '../../runtime/table/operation-fields.ts'
import type { NamedOperation, Table } from '../../runtime/table/table.ts'
import { hasForm, hasPage } from '../surfaces.ts'
import { words } from '../../runtime/texts/names.ts'

export interface Spot {
  readonly operation: NamedOperation
  /** Create on a list; change, delete and actions on a record. */
  readonly does: readonly NamedOperation[]
  /** Actions on a record of this list that has no page of its own, and the parameter that names it. */
  readonly rowDoes: readonly { readonly operation: NamedOperation; readonly parameter: string }[]
  /** The page of one of its records, and the parameter that names it. */
  readonly item: { readonly operation: NamedOperation; readonly parameter: string } | undefined
  /** If rows have no id: the page that shows one row, and the field of the row that it takes. */
  readonly detail: { readonly operation: NamedOperation; readonly field: string } | undefined
  /** Pages directly below this page that no navigation lists: the report of a record, its history, a page of a list. */
  readonly below: readonly NamedOperation[]
  /** Forms of other pages that this one leads to, with the path of the page that has each. */
  readonly leadsTo: readonly { readonly operation: NamedOperation; readonly path: string }[]
}

export interface Spots {
  readonly byId: ReadonlyMap<string, Spot>
  /** The page that shows the form of a write. */
  readonly spotOf: ReadonlyMap<string, Spot>
  /** Pages right under one record: a site, a workspace. */
  readonly navigation: ReadonlyMap<string, readonly NamedOperation[]>
}

/** The name of the record that an operation answers, or answers a list of. */
export const recordOf = ({ output }: NamedOperation): string | undefined => (output.type === 'array' ? output.items : output).title

export const isList = ({ answers }: NamedOperation): boolean => answers.kind === 'list'

export function titleOf({ title, path, output }: NamedOperation): string {
  if (title !== undefined) return title
  const [last = ''] = path.split('/').slice(-1)
  return words(last.startsWith('{') ? (output.title ?? last.slice(1, -1)) : last)
}

/** Whether the page needs a choice before it shows anything. */
export const needsInput = ({ input }: NamedOperation): boolean =>
  (input.required ?? []).some(name => (input.properties[name] as TSchema).default === undefined)

const known = new WeakMap<Table, Spots>()
export function spotsOf(table: Table): Spots {
  let spots = known.get(table)
  if (!spots) known.set(table, (spots = find([...table.operations.values()])))
  return spots
}

function find(operations: readonly NamedOperation[]): Spots {
  const pages = operations.filter(hasPage)
  const byPath = new Map(pages.map(page => [page.path, page]))
  const does = new Map<NamedOperation, NamedOperation[]>(pages.map(page => [page, []]))
  const rowDoes = new Map<NamedOperation, { operation: NamedOperation; parameter: string }[]>(pages.map(page => [page, []]))
  for (const operation of operations.filter(hasForm)) {
    const { page = byPath.get(operation.linkedFrom ?? ''), parameter } = pageAbove(operation.path, byPath)
    if (!page) continue
    if (parameter === undefined) does.get(page)?.push(operation)
    else if (isList(page)) rowDoes.get(page)?.push({ operation, parameter })
  }
  const navigation = navigationOf(pages)
  const byId = new Map(
    pages.map(operation => [
      operation.id,
      {
        operation,
        does: does.get(operation) ?? [],
        rowDoes: rowDoes.get(operation) ?? [],
        item: itemOf(operation, pages),
        detail: detailOf(operation, pages),
        below: belowOf(operation, pages, navigation),
        leadsTo: pages
          .filter(page => page !== operation)
          .flatMap(page =>
            (does.get(page) ?? [])
              .filter(({ linkedFrom }) => linkedFrom === operation.path)
              .map(each => ({ operation: each, path: page.path })),
          ),
      },
    ]),
  )
  const spotOf = new Map(
    [...byId.values()].flatMap(spot => [...spot.does, ...spot.rowDoes.map(row => row.operation)].map(each => [each.id, spot] as const)),
  )
  for (const page of pages) for (const each of createdElsewhere(page, pages, does)) does.get(page)?.push(each)
  return { byId, spotOf, navigation }
}

/** Operations that a list of a site offers although their path begins with the workspace: for example alerts, which take the site as an input. */
function createdElsewhere(
  list: NamedOperation,
  pages: readonly NamedOperation[],
  does: ReadonlyMap<NamedOperation, readonly NamedOperation[]>,
): NamedOperation[] {
  const container = list.on.at(-1)?.name
  if (!isList(list) || container === undefined || (does.get(list) ?? []).some(({ effect }) => effect === 'create')) return []
  const others = pages.filter(
    page => page !== list && isList(page) && recordOf(page) === recordOf(list) && page.on.at(-1)?.name !== container,
  )
  return others.flatMap(page =>
    (does.get(page) ?? []).filter(each => each.effect === 'create' && Object.hasOwn(each.input.properties, `${container}_id`)),
  )
}

/** Finds the page at the path or the nearest page above it. Skips words, and at most one id of a record without a page. */
function pageAbove(path: string, byPath: ReadonlyMap<string, NamedOperation>): { page?: NamedOperation; parameter?: string } {
  let parameter: string | undefined
  for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const page = byPath.get(at)
    if (page) return parameter === undefined ? { page } : { page, parameter }
    const [, named] = /\/\{(\w+)\}$/.exec(at) ?? []
    if (named === undefined) continue
    if (parameter !== undefined) return {}
    parameter = named
  }
  return {}
}

/** The page of one record: below the list, or elsewhere with the same record (`/workspaces/{}/alerts` → `/alerts/{id}`). */
function itemOf(list: NamedOperation, pages: readonly NamedOperation[]): Spot['item'] {
  if (!isList(list)) return undefined
  const title = recordOf(list)
  const below = pages.find(
    ({ path }) => path.startsWith(`${list.path}/{`) && path.endsWith('}') && !path.slice(list.path.length + 1).includes('/'),
  )
  const subject = below && !isList(below) ? below : elsewhere()
  const [, parameter] = /\{(\w+)\}$/.exec(subject?.path ?? '') ?? []
  return subject && parameter !== undefined ? { operation: subject, parameter } : undefined

  function elsewhere(): NamedOperation | undefined {
    const records = pages.filter(page => !isList(page) && page.answers.kind === 'record' && page.path.endsWith('}') && page.on.length === 1)
    return records.find(page => recordOf(page) === title) ?? records.find(page => page.path.startsWith(`${collectionOf(list)}/`))
  }
}

/** `/crawlers` → `/crawlers/detail?name=…`: the page right below a list that wants one field of its records. */
function detailOf(list: NamedOperation, pages: readonly NamedOperation[]): Spot['detail'] {
  if (!isList(list)) return undefined
  const fields: Readonly<Record<string, TSchema>> = list.output.items.properties ?? {}
  for (const operation of pages.filter(page => isBelow(list, page) && !isList(page))) {
    const [field, ...others] = ((operation.input.required ?? []) as string[]).filter(
      name => (operation.input.properties[name] as TSchema).default === undefined,
    )
    if (field !== undefined && others.length === 0 && Object.hasOwn(fields, field)) return { operation, field }
  }
  return undefined
}

/** One word further. */
const isBelow = ({ path }: NamedOperation, page: NamedOperation): boolean =>
  page.path.startsWith(`${path}/`) && /^\w+$/.test(page.path.slice(path.length + 1))

/** A record with more pages below it is a container: a site, a workspace. */
const maxBelow = 4
/** Containers have theirs in the navigation. */
function belowOf(operation: NamedOperation, pages: readonly NamedOperation[], navigation: Spots['navigation']): NamedOperation[] {
  const { path } = operation
  if (!path.endsWith('}')) {
    const inNavigation = new Set([...navigation.values()].flat())
    return pages.filter(page => isBelow(operation, page) && !inNavigation.has(page) && !needsInput(page))
  }
  if (navigation.has(path)) return []
  const start = `${unnamed(path)}/`
  return pages.filter(page => unnamed(page.path).startsWith(start) && /^\w+$/.test(unnamed(page.path).slice(start.length)))
}
const unnamed = (path: string): string => path.replace(/\{\w+\}/g, '{}')

/** A list of the same things under another container names them by its last word. */
const collectionOf = ({ path }: NamedOperation): string => `/${path.split('/').at(-1) ?? ''}`

/** By the path of the record: the pages below it that need nothing but its id, by place, reports with a view first. */
function navigationOf(pages: readonly NamedOperation[]): Map<string, readonly NamedOperation[]> {
  const found = new Map<string, NamedOperation[]>()
  for (const page of pages) {
    const [, container, rest] = /^(\/\w+\/\{\w+\})\/([^{}]+)$/.exec(page.path) ?? []
    if (container === undefined || rest === undefined || !placesInOrder.includes(placeOf(page))) continue
    found.set(container, [...(found.get(container) ?? []), page])
  }
  for (const [container, below] of found) if (below.length <= maxBelow) found.delete(container) // a record, with links below it
  return found
}

/** The part of the navigation with the page of an operation. */
export const placeOf = ({ place, answers }: NamedOperation): Place => place ?? (answers.kind === 'list' ? 'records' : 'aside')
/**
 * Whether a record is read and changed among the settings: a site or workspace itself, a page of their tabs, or a record of a
 * list there. Records that people make for their reports, such as segments, are not settings.
 */
export function isSettings(operation: NamedOperation, { navigation, byId }: Spots): boolean {
  if (operation.answers.kind !== 'record') return false
  const above = operation.path.replace(/\/\{\w+\}$/, '')
  const isOf = ({ operation: each }: Spot) =>
    each.path === above || (isList(each) && each.declared.output.items === operation.declared.output)
  const list = [...byId.values()].find(isOf)?.operation
  return (
    navigation.has(operation.path) ||
    [operation, ...(list ? [list] : [])].some(each => placesIn('settings').some(place => place === placeOf(each) && place !== 'records'))
  )
}
/** Places of a group whose pages are tabs. */
export const placesIn = (group: NavigationGroup): (keyof typeof tabbedPlaces)[] =>
  Object.entries(tabbedPlaces).flatMap(([place, of]) => (of === group ? [place as keyof typeof tabbedPlaces] : [])) // its keys
/** Places that the navigation or the settings show, in order. */
export const placesInOrder: readonly Place[] = navigationGroups.flatMap((group): Place[] => [
  ...(group === 'settings' ? [] : [group]),
  ...placesIn(group),
])
