/** The frame of a page: the navigation of its site and workspace, the search field, and the settings of the viewer. */
import { LRUCache } from 'lru-cache'
import { type Answer, isRefusal } from '../../runtime/table/answer.ts'
import type { App } from '../../runtime/app.ts'
import { type Caller, callerIn, rightsOf } from '../../runtime/table/caller.ts'
import { isObject } from '../../runtime/values/json.ts'
import type { Place } from '../../runtime/table/operation-fields.ts'
import type { NamedOperation, Table } from '../../runtime/table/table.ts'
import type { Viewer } from '../../runtime/ui/format.ts'
import { nameOf } from '../../runtime/ui/list.tsx'
import { needsInput, placeOf, placesInOrder, spotsOf, titleOf } from './page-tree.ts'
import { hasView } from './area-views.ts'
import { filled, words } from '../../runtime/ui/words.ts'
import { declaredText, loadTexts } from '../../runtime/texts/catalogues.ts'
import type { Reader } from '../../runtime/texts/reader.ts'
import { placeNames } from './messages.ts'
import { say } from '../../runtime/texts/say.ts'

export interface NavigationItem {
  readonly href: string
  readonly label: string
  readonly isHere: boolean
}
export interface NavigationGroup {
  readonly label: string
  readonly items: readonly NavigationItem[]
  /** Whether its items are visible before a click. */
  readonly isOpen: boolean
}
export interface Frame {
  readonly groups: readonly NavigationGroup[]
  /** The site or workspace that the page is in. */
  readonly within: { readonly href: string; readonly label: string } | undefined
  /** The search field in the header. */
  readonly search: Search | undefined
  readonly theme: string
  readonly locale: string
  /** Whether the account uses keyboard shortcuts. */
  readonly hasKeys: boolean
  /** Whether the account reduces motion. */
  readonly isStill: boolean
}

export interface Search {
  readonly href: string
  readonly label: string
  readonly name: string
  readonly kept: Readonly<Record<string, string>>
}

export type Ask = (
  operation: NamedOperation,
  path: Readonly<Record<string, string>>,
  input?: Readonly<Record<string, unknown>>,
) => Promise<Answer>

/** The site and workspace that a page belongs to, and the account of its viewer. */
export interface Surroundings {
  readonly site: Readonly<Record<string, unknown>> | undefined
  readonly workspace: Readonly<Record<string, unknown>> | undefined
  readonly account: Readonly<Record<string, unknown>> | undefined
  readonly viewer: Viewer
}

const isNamed = (place: Place): place is keyof typeof placeNames & Place => Object.hasOwn(placeNames, place)

/** Lists the pages below a record that the caller may open, ordered by place. Within a place, pages with a view come first. */
export function itemsBelow({ table, allows }: App, container: NamedOperation, caller: Caller): readonly NamedOperation[] {
  return orderedBelow(table, container).filter(operation => allows(caller, operation))
}

const ordered = new WeakMap<Table, Map<string, readonly NamedOperation[]>>()
/** Orders the pages below a record. The order is the same for all callers, so it is computed once for each table. */
function orderedBelow(table: Table, { path }: NamedOperation): readonly NamedOperation[] {
  const known = ordered.get(table) ?? new Map<string, readonly NamedOperation[]>()
  ordered.set(table, known)
  const rank = (operation: NamedOperation): number =>
    placesInOrder.indexOf(placeOf(operation)) * 3 + (needsInput(operation) ? 2 : hasView(table, operation) ? 0 : 1)
  const items = known.get(path) ?? (spotsOf(table).navigation.get(path) ?? []).toSorted((a, b) => rank(a) - rank(b))
  known.set(path, items)
  return items
}

/** Finds the page of a subject's record at its own path, for example `/sites/{site_id}`. */
export function containerOf({ table }: App, subject: string): NamedOperation | undefined {
  return pageThat(
    table,
    `container ${subject}`,
    ({ path, on }) => on.length === 1 && on[0]?.name === subject && /^\/\w+\/\{\w+\}$/.test(path),
  )
}

const found = new WeakMap<Table, Map<string, NamedOperation | undefined>>()
/** Finds the first page that matches, once for each table. @param name key under which the page is remembered */
function pageThat(table: Table, name: string, is: (operation: NamedOperation) => boolean): NamedOperation | undefined {
  const known = found.get(table) ?? new Map<string, NamedOperation | undefined>()
  found.set(table, known)
  if (!known.has(name)) known.set(name, [...spotsOf(table).byId.values()].find(({ operation }) => is(operation))?.operation)
  return known.get(name)
}

const parameterOf = ({ path }: NamedOperation): string => /\{(\w+)\}/.exec(path)?.[1] ?? 'id'

/** Loads the site, the workspace and the account of a page. @param at ids of the site and the workspace, if the page has them */
export async function surroundings(
  app: App,
  ask: Ask,
  at: { readonly siteId: string | null; readonly workspaceId: string | undefined },
): Promise<Surroundings> {
  const recordAt = async (operation: NamedOperation | undefined, id: string | null | undefined) => {
    if (!operation || !id) return undefined
    return dataOf(await ask(operation, { [parameterOf(operation)]: id }))
  }
  const self = pageThat(app.table, 'account', ({ access, on }) => access === 'account' && on.length === 0)
  const [site, workspace, account] = await Promise.all([
    recordAt(containerOf(app, 'site'), at.siteId),
    recordAt(containerOf(app, 'workspace'), at.workspaceId),
    self ? ask(self, {}).then(dataOf) : undefined,
  ])
  const text = (...given: unknown[]): string | undefined =>
    given.find(each => typeof each === 'string' && each !== '') as string | undefined // found by its type
  const viewer = {
    locale: text(account?.locale) ?? 'en',
    timezone: text(account?.timezone, site?.timezone) ?? 'UTC',
    currency: text(site?.currency) ?? 'USD',
  }
  await loadTexts(viewer)
  return { site, workspace, account, viewer }
}

export function dataOf(answer: Answer): Readonly<Record<string, unknown>> | undefined {
  if (isRefusal(answer) || !isObject(answer.body)) return undefined
  return isObject(answer.body.data) ? answer.body.data : undefined
}

interface FrameOf {
  readonly caller: Caller
  readonly around: Surroundings
  readonly here: string
  readonly above?: readonly string[] | undefined
}

/**
 * Builds the frame of a page.
 *
 * @param here path of the page
 * @param above paths of the pages above it, which mark the navigation if the page itself is not in it
 */
export function frameOf(app: App, { caller, around, here, above = [] }: FrameOf): Frame {
  const { site, workspace, account } = around
  const siteId = typeof site?.id === 'string' ? site.id : undefined
  const workspaceId = typeof workspace?.id === 'string' ? workspace.id : caller.workspaceId
  const [ofSite, ofWorkspace] = [containerOf(app, 'site'), containerOf(app, 'workspace')]
  const as = callerIn(caller, workspaceId)
  const below = (container: NamedOperation, id: string) => navigationOf(app, { container, id, caller: as, reader: around.viewer })
  // In a site, the workspace is one short group. Pages of the workspace show its other groups.
  const ofContent = nameOf(workspace) ?? declaredText(around.viewer, 'Workspace')
  const groups: NavigationGroup[] = [
    ...(ofSite && siteId !== undefined ? below(ofSite, siteId) : []),
    ...(ofWorkspace && workspaceId !== '' ? below(ofWorkspace, workspaceId) : [])
      .filter(({ place }) => siteId === undefined || place === 'content')
      .map(group => (group.place === 'content' ? { ...group, label: ofContent } : group)),
  ]
  return {
    groups: withOneHere(groups, [here, ...above]),
    within:
      site && siteId !== undefined && ofSite
        ? { href: homeOf(app, { container: ofSite, caller: as, id: siteId }), label: nameOf(site) ?? siteId }
        : undefined,
    search: workspace && searchOf(app, { as, workspaceId, siteId, viewer: around.viewer, here }),
    theme: typeof account?.theme === 'string' ? account.theme : 'system',
    locale: around.viewer.locale,
    hasKeys: account?.shortcuts_enabled !== false,
    isStill: account?.reduce_motion === true,
  }
}

interface NavigationPlace extends NavigationGroup {
  readonly place: Place
}

const navigations = new WeakMap<Table, LRUCache<string, readonly NavigationPlace[]>>()
interface NavigationOf {
  readonly container: NamedOperation
  readonly id: string
  readonly caller: Caller
  readonly reader: Reader
}

/** Builds the navigation of a container. It is cached for callers with the same rights and language. @param id id of the container */
function navigationOf(app: App, { container, id, caller, reader }: NavigationOf): readonly NavigationPlace[] {
  const known = navigations.get(app.table) ?? new LRUCache<string, readonly NavigationPlace[]>({ max: 500 })
  navigations.set(app.table, known)
  const key = `${container.id} ${id} ${reader.locale} ${rightsOf(caller)}`
  const found = known.get(key) ?? navigation(app, { container, id, caller, reader })
  known.set(key, found)
  return found
}

interface NavigationInput {
  readonly container: NamedOperation
  readonly id: string
  readonly caller: Caller
  readonly reader: Reader
}

function navigation(app: App, { container, id, caller, reader }: NavigationInput): NavigationPlace[] {
  const below = itemsBelow(app, container, caller)
  const name = container.on[0]?.name ?? ''
  const path = { [parameterOf(container)]: id }
  const itemOf = (operation: NamedOperation, name: string) => ({
    href: filled(operation.path, path),
    label: declaredText(reader, name),
    isHere: false,
  })
  return placesInOrder
    .map(place => {
      const items = below.filter(operation => placeOf(operation) === place).map(operation => itemOf(operation, titleOf(operation)))
      if (place === 'settings' && app.allows(caller, container)) items.unshift(itemOf(container, words(name)))
      // Reports, and the groups of a workspace except its settings, are open. The others are collapsed, to fit a window.
      const isOpen = place === 'reports' || name === 'workspace' ? place !== 'settings' : false
      return { place, label: isNamed(place) ? say(reader, placeNames[place]) : words(place), items, isOpen }
    })
    .filter(({ items }) => items.length > 0)
}

interface SearchOf {
  readonly as: Caller
  readonly workspaceId: string
  readonly siteId: string | undefined
  readonly viewer: Viewer
  readonly here: string
}

/** Builds the search field of the workspace. In a site, it searches only that site. */
function searchOf(app: App, { as, workspaceId, siteId, viewer, here }: SearchOf): Search | undefined {
  const page = pageThat(app.table, 'top', each => placeOf(each) === 'top')
  const [name] = (page?.input.required ?? []) as readonly string[]
  if (!page || name === undefined || workspaceId === '' || !app.allows(as, page)) return undefined
  const href = filled(page.path, { workspace_id: workspaceId })
  if (href === here) return undefined // the search page has its own field
  return {
    href,
    label: declaredText(viewer, titleOf(page)),
    name,
    kept: siteId !== undefined && Object.hasOwn(page.input.properties, 'site_id') ? { site_id: siteId } : {},
  }
}

/** Marks the item of the current page. If several paths match, such as `/uptime` and `/uptime/probe_tokens`, the longest wins. */
function withOneHere(groups: readonly NavigationGroup[], paths: readonly string[]): readonly NavigationGroup[] {
  const items = groups.flatMap(({ items }) => items)
  const within = (here: string) => items.filter(({ href }) => href === here || (here.startsWith(`${href}/`) && href.split('/').length > 3))
  const fits = paths.map(within).find(found => found.length > 0) ?? []
  const longest = Math.max(0, ...fits.map(({ href }) => href.length))
  const current = new Set(fits.filter(({ href }) => href.length === longest).map(({ href }) => href))
  const isHere = ({ href }: NavigationItem) => current.has(href)
  return groups.map(group =>
    group.items.some(isHere) ? { ...group, items: group.items.map(item => ({ ...item, isHere: isHere(item) })), isOpen: true } : group,
  )
}

/** Path that a link to a container opens: the first page of its navigation. */
export function homeOf(app: App, { container, caller, id }: { container: NamedOperation; caller: Caller; id: string }): string {
  const first = orderedBelow(app.table, container).find(operation => app.allows(caller, operation))
  return filled((first ?? container).path, { [parameterOf(container)]: id })
}
