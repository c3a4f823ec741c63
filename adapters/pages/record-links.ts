/** Links between pages: from a row to its record, up to its list, and on from a form. No operation is named. */
import type { App } from '../../runtime/app.ts'
import { type Caller, callerIn } from '../../runtime/table/caller.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { homeOf, itemsBelow } from './frame.ts'
import { isList, recordOf, type Spot, spotsOf, titleOf } from './page-tree.ts'
import { filled, words } from '../../runtime/ui/words.ts'

type Path = Readonly<Record<string, string>>
type Fields = Readonly<Record<string, unknown>>

/** The workspace, site and record of a call, as far as they were found. */
export interface Placed {
  readonly workspaceId: string | undefined
  readonly siteId: string | null
}

export interface Way {
  readonly href: string
  /** Kind of the record. */
  readonly label: string
  /** The read of the record, which knows its name. */
  readonly of?: { readonly operation: NamedOperation; readonly path: Path }
}

interface CreatedRecord {
  readonly path: Path
  readonly record: Fields
  readonly place: Placed
  readonly url: URL
  readonly caller: Caller | undefined
}

interface Linked {
  readonly path: Path
  readonly place: Placed
  readonly row: Fields
  readonly caller: Caller
}

export interface Ways {
  /** The page of a record of a list; of a site or workspace where it opens. */
  hrefOf(spot: Spot, to: Linked): string | undefined
  /** Pages above a page, outermost first. */
  above(spot: Spot, below: { readonly url: URL; readonly path: Path; readonly place: Placed }): readonly Way[]
  /** Path that a browser is redirected to: the record, its list if it was deleted, or the list of the records created from it. */
  after(spot: Spot, operation: NamedOperation, made: CreatedRecord): string
  /** The list of a workspace whose records have a navigation of their own: its sites. */
  listOfContainers(workspace: NamedOperation): NamedOperation | undefined
}

export function openWays(app: App): Ways {
  const spots = spotsOf(app.table)
  /** The first page at each path, whatever its parameters are called. */
  const byPath = new Map([...spots.byId.values()].toReversed().map(({ operation }) => [unnamed(operation.path), operation]))

  /** Finds the list that contains a record: the list of its site, otherwise of its workspace. */
  function listOf(record: NamedOperation, path: Path, { siteId, workspaceId }: Placed): Way | undefined {
    const values: Path = {
      ...(workspaceId !== undefined && { workspace_id: workspaceId }),
      ...(siteId !== null && { site_id: siteId }),
      ...path,
    }
    const lists = [...spots.byId.values()].filter(({ item }) => item?.operation === record).map(({ operation }) => operation)
    const fits = lists.filter(({ pathInput }) => Object.keys(pathInput).every(name => values[name] !== undefined))
    const [list] = fits.toSorted((a, b) => Number(Object.hasOwn(b.pathInput, 'site_id')) - Number(Object.hasOwn(a.pathInput, 'site_id')))
    return list && { href: filled(list.path, values), label: titleOf(list) }
  }

  function hrefOf(spot: Spot, { path, place, row, caller }: Linked): string | undefined {
    const { item, detail } = spot
    if (!item && detail && typeof row[detail.field] === 'string' && app.allows(caller, detail.operation))
      return `${filled(detail.operation.path, path)}?${new URLSearchParams({ [detail.field]: String(row[detail.field]) })}`
    if (!item || typeof row.id !== 'string' || !app.allows(caller, item.operation)) return undefined
    if (spots.navigation.has(item.operation.path)) {
      const as = callerIn(caller, item.operation.on[0]?.name === 'workspace' ? row.id : (place.workspaceId ?? caller.workspaceId))
      if (itemsBelow(app, item.operation, as).length > 0) return homeOf(app, { container: item.operation, caller: as, id: row.id })
    }
    return filled(item.operation.path, { ...path, [item.parameter]: row.id })
  }

  function above(spot: Spot, { url, path, place }: Parameters<Ways['above']>[1]): readonly Way[] {
    const found: Way[] = []
    const parts = url.pathname.split('/')
    const pattern = spot.operation.path.split('/')
    let outermost = spot.operation
    for (let depth = 3; depth < pattern.length; depth++) {
      const beginning = unnamed(pattern.slice(0, depth).join('/'))
      const page = byPath.get(beginning)
      const elsewhere = page ? undefined : recordElsewhere(beginning, parts[depth - 1] ?? '', place)
      if (elsewhere) {
        if (found.length === 0) outermost = elsewhere.page
        found.push(elsewhere.way)
      }
      if (!page || spots.navigation.has(page.path)) continue // the navigation next to the page shows its site or workspace
      if (found.length === 0) outermost = page
      const href = parts.slice(0, depth).join('/')
      found.push(page.path.endsWith('}') ? wayOf(page, href, valuesOf(page, parts)) : { href, label: titleOf(page) })
    }
    const list = isList(outermost) ? undefined : listOf(outermost, path, place)
    return list ? [list, ...found] : found
  }

  /** The page of a record that its workspace or site is named before: `/workspaces/{id}/status_pages/{id}`, of `/status_pages/{}`. */
  function recordElsewhere(beginning: string, id: string, { workspaceId, siteId }: Placed): { page: NamedOperation; way: Way } | undefined {
    if (!/^\/\w+\/\{\}$/.test(beginning)) return undefined
    const page = [...byPath].find(([path]) => path.endsWith(`}${beginning}`))?.[1]
    const [container = '', own = ''] = Object.keys(page?.pathInput ?? {})
    const within = container === 'workspace_id' ? workspaceId : container === 'site_id' ? siteId : undefined
    if (!page || !within) return undefined
    const path = { [container]: within, [own]: id }
    return { page, way: wayOf(page, filled(page.path, path), path) }
  }

  function after(spot: Spot, operation: NamedOperation, { path, record, place, url, caller }: CreatedRecord): string {
    const { operation: shown, item, below } = spot
    const isRow = !spot.does.includes(operation)
    const madeBy = spots.spotOf.get(operation.id)
    // A report that leads to the form has no list in which to find the new record.
    if (isRow && operation.effect === 'create' && madeBy?.item && !isList(shown) && typeof record.id === 'string')
      return filled(madeBy.item.operation.path, { ...path, [madeBy.item.parameter]: record.id })
    if (isRow) return url.pathname
    if (operation.effect === 'delete') {
      if (operation.path !== shown.path || !shown.path.endsWith('}')) return url.pathname
      return listOf(shown, path, place)?.href ?? '/'
    }
    if (operation.effect === 'create' && item && typeof record.id === 'string' && isList(shown))
      // A record with pages of its own opens at the same page as from its list: a new site waits for its first hit.
      return (
        (caller && hrefOf(spot, { path, place, row: record, caller })) ??
        filled(item.operation.path, { ...path, [item.parameter]: record.id })
      )
    const list = below.find(each => isList(each) && recordOf(each) === recordOf(operation))
    return list ? `${url.pathname}/${list.path.split('/').at(-1) ?? ''}` : url.pathname
  }

  return {
    hrefOf,
    above,
    after,
    listOfContainers: workspace =>
      [...spots.byId.values()].find(
        ({ operation, item }) => operation.path.startsWith(`${workspace.path}/`) && item && spots.navigation.has(item.operation.path),
      )?.operation,
  }
}

const wayOf = (operation: NamedOperation, href: string, path: Path): Way => ({
  href,
  label: words(recordOf(operation) ?? ''),
  of: { operation, path },
})

/** Parameters of a path, from the parts of an address that begins with it. */
const valuesOf = ({ path }: NamedOperation, parts: readonly string[]): Path =>
  Object.fromEntries(path.split('/').flatMap((part, i) => (part.startsWith('{') ? [[part.slice(1, -1), parts[i] ?? ''] as const] : [])))

const unnamed = (path: string): string => path.replace(/\{\w+\}/g, '{}')
