/** The frame of a page: the navigation of its site and workspace, the search field, and the settings of the viewer. */
import { LRUCache } from 'lru-cache'
import { type Answer, isRefusal } from '../../runtime/table/answer.ts'
import type { App } from '../../runtime/app.ts'
import { type Caller, callerIn, rightsOf, workspacesOf } from '../../runtime/table/caller.ts'
import { isObject } from '../../runtime/values/json.ts'
import type { IconName } from '../../runtime/table/icons.ts'
import { type NavigationGroup as NavigationGroupName, navigationGroups, type Place } from '../../runtime/table/operation-fields.ts'
import type { NamedOperation, Table } from '../../runtime/table/table.ts'
import { domainText } from '../../runtime/ui/domain-text.ts'
import { plainNumber, type Viewer } from '../../runtime/ui/format.ts'
import { ui } from '../../runtime/ui/messages.ts'
import type { VisitorsNow } from './visitors-now.ts'
import { nameOf } from '../../runtime/ui/list.tsx'
import { isList, needsInput, placeOf, placesIn, placesInOrder, spotsOf, titleOf } from './page-tree.ts'
import { containsPage, hasView, isInFill, viewOf } from './area-views.ts'
import { carriedIn } from '../../runtime/ui/links.ts'
import { filled, words } from '../../runtime/ui/words.ts'
import { declaredText, loadTexts } from '../../runtime/texts/catalogues.ts'
import { limitFaults, type Within } from '../../runtime/table/report-limits.ts'
import type { Reader } from '../../runtime/texts/reader.ts'
import { groupNames, m, placeNames } from './messages.ts'
import { say } from '../../runtime/texts/say.ts'

export interface NavigationItem {
  readonly href: string
  readonly label: string
  readonly isHere: boolean
  readonly icon?: IconName | undefined
  /** Visitors who are there now, in figures and in words. */
  readonly now?: { readonly count: string; readonly words: string } | undefined
}
export interface NavigationGroup {
  /** Empty if the items speak for themselves. */
  readonly label: string
  readonly items: readonly NavigationItem[]
}
export interface Frame {
  readonly groups: readonly NavigationGroup[]
  /** Tabs above the page: the places of the settings, then the pages of this place. */
  readonly tabs: readonly NavigationGroup[]
  /** The site that the page is in, with a link to all sites. `note`: its domain. */
  readonly within: WithinSite | undefined
  /** Pages of the person and the workspace, for their menu. */
  readonly own: readonly NavigationItem[]
  /** Address of the page, which forms of the frame lead back to. */
  readonly here: string
  /** Address of the manual. */
  readonly help: string | undefined
  /** The search field in the header. */
  readonly search: Search | undefined
  readonly theme: string
  readonly locale: string
  /** Whether the account uses keyboard shortcuts. */
  readonly hasKeys: boolean
  /** Whether the account reduces motion. */
  readonly isStill: boolean
}

/** The site of a page, and how to change to another one. */
export interface WithinSite {
  readonly href: string
  readonly label: string
  readonly note?: string | undefined
  /** Undefined for guests, who see one site. */
  readonly switch?: SiteSwitch | undefined
}
export interface SiteSwitch {
  /** The list of sites, each of which leads to the page of this address (`to`). */
  readonly list: string
  readonly to: string
  /** The form of a new site, if the viewer may create one. */
  readonly create: string | undefined
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

/** Lists the pages below a record that the caller may open, ordered by place. Within a place, pages with a view come first. */
export function itemsBelow({ table, allows }: App, container: NamedOperation, caller: Caller): readonly NamedOperation[] {
  return orderedBelow(table, container).filter(operation => allows(caller, operation))
}

const ordered = new WeakMap<Table, Map<string, readonly NamedOperation[]>>()
/** Orders the pages below a record. The order is the same for all callers, so it is computed once for each table. */
function orderedBelow(table: Table, { path }: NamedOperation): readonly NamedOperation[] {
  const known = ordered.get(table) ?? new Map<string, readonly NamedOperation[]>()
  ordered.set(table, known)
  const rankInPlace = (operation: NamedOperation): 0 | 1 | 2 => {
    if (needsInput(operation)) return 2
    return hasView(table, operation) ? 0 : 1
  }
  const rank = (operation: NamedOperation): number => placesInOrder.indexOf(placeOf(operation)) * 3 + rankInPlace(operation)
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
function pageThat(table: Table, name: string, matches: (operation: NamedOperation) => boolean): NamedOperation | undefined {
  const known = found.get(table) ?? new Map<string, NamedOperation | undefined>()
  found.set(table, known)
  if (!known.has(name)) known.set(name, [...spotsOf(table).byId.values()].find(({ operation }) => matches(operation))?.operation)
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
  const self = pageThat(
    app.table,
    'account',
    ({ access, on, output }) => access === 'account' && on.length === 0 && output.properties?.locale !== undefined,
  )
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
  /** Parameters of the address. */
  readonly query?: URLSearchParams | undefined
  /** Limits of a guest. */
  readonly within?: Within | undefined
  readonly now?: VisitorsNow | undefined
}

/**
 * Builds the frame of a page.
 *
 * @param here path of the page
 * @param above paths of the pages above it, which mark the navigation if the page itself is not in it
 */
export function frameOf(app: App, { caller, around, here, above = [], query, within, now }: FrameOf): Frame {
  const { site, workspace, account } = around
  const siteId = typeof site?.id === 'string' ? site.id : undefined
  const workspaceId = typeof workspace?.id === 'string' ? workspace.id : caller.workspaceId
  const [ofSite, ofWorkspace] = [containerOf(app, 'site'), containerOf(app, 'workspace')]
  const callerHere = callerIn(caller, workspaceId)
  const navigationBelow = (container: NamedOperation | undefined, id: string | undefined): Navigation =>
    container && id !== undefined && id !== ''
      ? navigationOf(app, { container, id, caller: callerHere, reader: around.viewer })
      : noNavigation
  const inSite = navigationBelow(ofSite, siteId)
  const inWorkspace = navigationBelow(ofWorkspace, workspaceId)
  const isInSite = siteId !== undefined
  const navigation = isInSite ? inSite : inWorkspace
  const { groups, settings } = navigation
  const across = inWorkspace.groups.filter(({ name }) => name === 'across')
  const isShown = ({ entry }: NavigationPlace): boolean => {
    if (!entry || !within) return true
    const { operation, path } = entry
    return limitFaults({ ...operation.pathInput, ...operation.input.properties }, path, within).length === 0
  }
  const shown = [...groups, ...(isInSite ? across : [])]
    .map(group => ({ ...group, places: group.places.filter(isShown) }))
    .filter(({ places }) => places.length > 0)
  const paths = [here, ...above]
  const current = currentOf([...shown.flatMap(({ places }) => places), ...settings], paths)
  const carried = query && carriedIn(query)
  const kept = carried && carried.size > 0 ? String(carried) : undefined
  const isHere = ({ pages }: NavigationPlace): boolean => current !== undefined && pages.includes(current)
  const hasNow = ({ pages: [page] }: NavigationPlace): boolean => now !== undefined && page?.href === now.path
  const shownItem = (place: NavigationPlace): NavigationItem[] =>
    itemOf(place, isHere(place), kept).map(item => (now && hasNow(place) ? { ...item, now: visitorsNow(now.count, around.viewer) } : item))
  const settingsOf = (of: Navigation, isHere: boolean): NavigationItem[] => {
    const href = of.settings[0]?.pages[0]?.href
    if (href === undefined) return []
    const label = say(around.viewer, of === inSite ? m.site_settings : m.workspace_settings)
    return [{ href, label, icon: 'settings', isHere }]
  }
  const inSettings = settings.find(isHere)
  const tabbed = inSettings ?? shown.flatMap(({ places }) => places).find(place => place.pages.length > 1 && isHere(place))
  const tabOf = (page: NavigationPage): NavigationItem => ({ href: hrefWith(page, kept), label: page.label, isHere: page === current })
  return {
    groups: [
      ...shown.map(group => {
        const isPlain =
          kept === undefined &&
          !group.places.some(place => isHere(place) || hasNow(place)) &&
          group.places.length === group.plain.items.length
        return isPlain ? group.plain : { label: group.label, items: group.places.flatMap(shownItem) }
      }),
      { label: '', items: settingsOf(navigation, inSettings !== undefined) },
    ].filter(({ items }) => items.length > 0),
    tabs: [
      { label: say(around.viewer, m.settings), items: inSettings ? settings.flatMap(shownItem) : [] },
      { label: tabbed?.label ?? '', items: tabbed && tabbed.pages.length > 1 ? tabbed.pages.map(tabOf) : [] },
    ].filter(({ items }) => items.length > 0),
    within:
      site && siteId !== undefined && ofSite
        ? {
            href: across[0]?.places[0]?.pages[0]?.href ?? homeOf(app, { container: ofSite, caller: callerHere, id: siteId }),
            label: domainText(nameOf(site) ?? siteId),
            note: typeof site.domain === 'string' && site.domain !== nameOf(site) ? domainText(site.domain) : undefined,
            switch: workspace && switchOf(app, { caller: callerHere, workspaceId, siteId, here, place: current?.href, query }),
          }
        : undefined,
    own: [...(isInSite ? settingsOf(inWorkspace, false) : []), ...acrossWorkspaces(app, caller, around.viewer)],
    here: query && query.size > 0 ? `${here}?${query}` : here,
    help: app.table.pages.some(({ route }) => route === `GET ${manual}`) ? manual : undefined,
    search: workspace && searchOf(app, { caller: callerHere, workspaceId, siteId, viewer: around.viewer, here }),
    theme: typeof account?.theme === 'string' ? account.theme : 'system',
    locale: around.viewer.locale,
    hasKeys: account?.shortcuts_enabled !== false,
    isStill: account?.reduce_motion === true,
  }
}

const visitorsNow = (count: number, viewer: Viewer) => ({
  count: count > 0 ? plainNumber(count, viewer) : '',
  words: say(viewer, ui.visitors_now, { count }),
})

const manual = '/documentation'

/** The list of workspaces, for members of several. */
function acrossWorkspaces(app: App, caller: Caller, reader: Reader): NavigationItem[] {
  if (workspacesOf(caller).length < 2) return []
  const list = pageThat(app.table, 'workspaces', each => isList(each) && each.on.length === 0 && each.access === 'member')
  return list ? [{ href: list.path, label: say(reader, m.switch_workspace), icon: 'switch', isHere: false }] : []
}

interface SwitchOf {
  readonly caller: Caller
  readonly workspaceId: string
  readonly siteId: string
  readonly here: string
  /** Path of the navigation that the page is at, or below. */
  readonly place: string | undefined
  readonly query: URLSearchParams | undefined
}

/** Paths below a site that other sites do not have: with the id of a record, or with details of a value. */
const onlyInThisSite = /_[0-9a-z]{12,}|\/detail$/

/** Finds the list of sites, and the page to open in another site: this one, or the one above it for a record of this site. */
function switchOf(app: App, { caller, workspaceId, siteId, here, place, query }: SwitchOf): SiteSwitch | undefined {
  const [ofSite, ofWorkspace] = [containerOf(app, 'site'), containerOf(app, 'workspace')]
  const spots = spotsOf(app.table).byId
  const list = pageThat(
    app.table,
    'list of sites',
    ({ id, path }) => ofWorkspace !== undefined && path.startsWith(`${ofWorkspace.path}/`) && spots.get(id)?.item?.operation === ofSite,
  )
  if (!ofSite || !list || !app.allows(caller, list)) return undefined
  const root = `${filled(ofSite.path, { [parameterOf(ofSite)]: siteId })}/`
  const isInEverySite = here.startsWith(root) && !onlyInThisSite.test(here.slice(root.length))
  const placeInSite = place?.startsWith(root) ? place : ''
  const path = isInEverySite ? here : placeInSite
  const kept = carriedIn(query ?? new URLSearchParams())
  kept.delete('segment_id') // belongs to this site
  const href = filled(list.path, { workspace_id: workspaceId })
  const create = spots.get(list.id)?.does.find(each => each.effect === 'create' && app.allows(caller, each))
  return {
    list: href,
    to: `${path.slice(root.length)}${kept.size > 0 ? `?${kept}` : ''}`,
    create: create && `${href}?do=${create.id}`,
  }
}

interface NavigationPage {
  readonly href: string
  readonly label: string
  /** Whether period and filters go along to it, for the next report: pages of a site, other than its settings. */
  readonly passesOn: boolean
}
/** An entry of the navigation: one page, or several with tabs. */
interface NavigationPlace {
  readonly label: string
  readonly icon: IconName | undefined
  readonly pages: readonly NavigationPage[]
  /** Paths of pages without a tab, which belong to the first one. */
  readonly untabbed?: readonly string[]
  /** The operation with the values of its path that choose this page, for example `dimension`. */
  readonly entry?: { readonly operation: NamedOperation; readonly path: Readonly<Record<string, string>> }
}
interface Navigation {
  readonly groups: readonly {
    readonly name: NavigationGroupName
    readonly label: string
    readonly places: readonly NavigationPlace[]
    /** The group on pages outside of it, if there is no period to keep. These pages share the object, which is drawn once. */
    readonly plain: NavigationGroup
  }[]
  /** Tabs of the settings. */
  readonly settings: readonly NavigationPlace[]
}
const noNavigation: Navigation = { groups: [], settings: [] }

/** The entry of a place, which leads to its first page. @param kept parameters that pages pass on */
function itemOf({ icon, label, pages: [first] }: NavigationPlace, isHere: boolean, kept?: string): NavigationItem[] {
  return first ? [{ href: hrefWith(first, kept), label, icon, isHere }] : []
}
const hrefWith = ({ href, passesOn }: NavigationPage, kept: string | undefined): string =>
  kept !== undefined && passesOn ? `${href}?${kept}` : href

const navigations = new WeakMap<Table, LRUCache<string, Navigation>>()
interface NavigationOf {
  readonly container: NamedOperation
  readonly id: string
  readonly caller: Caller
  readonly reader: Reader
}

/** Builds the navigation of a container. It is cached for callers with the same rights and language. @param id id of the container */
function navigationOf(app: App, { container, id, caller, reader }: NavigationOf): Navigation {
  const known = navigations.get(app.table) ?? new LRUCache<string, Navigation>({ max: 500 })
  navigations.set(app.table, known)
  const key = `${container.id} ${id} ${reader.locale} ${rightsOf(caller)}`
  const found = known.get(key) ?? buildNavigation(app, { container, id, caller, reader })
  known.set(key, found)
  return found
}

function buildNavigation(app: App, { container, id, caller, reader }: NavigationOf): Navigation {
  const path = { [parameterOf(container)]: id }
  const below = itemsBelow(app, container, caller)
  const isInSite = container.on[0]?.name === 'site'
  const settingsPlaces = new Set<Place>(placesIn('settings'))
  const pageOf = (operation: NamedOperation, title = titleOf(operation), own: Readonly<Record<string, string>> = {}): NavigationPage => ({
    href: filled(operation.path, { ...path, ...own }),
    label: declaredText(reader, title),
    passesOn: Object.hasOwn(operation.input.properties, 'period') || (isInSite && !settingsPlaces.has(placeOf(operation))),
  })
  const pagesAt = (place: Place): Pick<NavigationPlace, 'pages' | 'untabbed'> => {
    const all = [container, ...below].filter(operation => placeOf(operation) === place)
    const separate = separateOf(app.table, place, [container, ...below])
    return {
      pages: [
        ...(place === 'general' && app.allows(caller, container) ? [pageOf(container, words(container.on[0]?.name ?? ''))] : []),
        ...separate.map(operation => pageOf(operation)),
      ],
      untabbed: all.filter(operation => !separate.includes(operation)).map(operation => pageOf(operation).href),
    }
  }
  const single = (operation: NamedOperation): NavigationPlace => {
    const page = pageOf(operation)
    return { label: page.label, icon: operation.icon, pages: [page] }
  }
  const tabbedIn = (group: NavigationGroupName): NavigationPlace[] =>
    placesIn(group).flatMap(place => {
      const { pages, untabbed = [] } = pagesAt(place)
      const icon = below.find(operation => placeOf(operation) === place)?.icon
      return pages.length > 0 ? [{ label: say(reader, placeNames[place]), icon, pages, untabbed }] : []
    })
  const entries = entriesBelow(app.table, container).filter(({ operation }) => app.allows(caller, operation))
  const groups = navigationGroups
    .filter(group => group !== 'settings')
    .map(group => {
      const label = group === 'now' || group === 'across' ? '' : say(reader, groupNames[group])
      const places: NavigationPlace[] = [
        ...entries
          .filter(({ entry }) => entry.place === group)
          .map(({ operation, entry }) => ({
            label: declaredText(reader, entry.title),
            icon: entry.icon,
            pages: [pageOf(operation, entry.title, entry.path)],
            entry: { operation, path: entry.path },
          })),
        ...below.filter(operation => placeOf(operation) === group).map(single),
        ...tabbedIn(group),
      ]
      return { name: group, label, places, plain: { label, items: places.flatMap(place => itemOf(place, false)) } }
    })
  return { groups, settings: tabbedIn('settings') }
}

/** Pages at a place. A page whose content the view of another one contains needs no tab of its own. */
function separateOf(table: Table, place: Place, pages: readonly NamedOperation[]): NamedOperation[] {
  const views = pages.flatMap(operation => viewOf(table, operation) ?? [])
  return pages.filter(
    operation => placeOf(operation) === place && !views.some(view => containsPage(view, operation)) && !isInFill(table, operation),
  )
}

/** Pages of a container that are in its navigation under parameters of their path. */
const entriesBelow = (table: Table, container: NamedOperation) =>
  [...spotsOf(table).byId.values()].flatMap(({ operation }) =>
    operation.path.startsWith(`${container.path}/`) ? operation.entries.map(entry => ({ operation, entry })) : [],
  )

/** The page of the navigation that an address is, or is below. If several match, such as `/uptime` and `/uptime/probe_tokens`, the longest wins. */
function currentOf(places: readonly NavigationPlace[], paths: readonly string[]): NavigationPage | undefined {
  const pages = places.flatMap(({ pages, untabbed = [] }) => [
    ...pages.map(page => ({ href: page.href, page })),
    ...untabbed.flatMap(href => pages.slice(0, 1).map(page => ({ href, page }))),
  ])
  // All pages of a site are below `/sites/{site_id}`, so that page is current only at its own address.
  const hasPagesBelow = (href: string): boolean => href.split('/').length > 3
  for (const here of paths) {
    const found = pages.filter(({ href }) => href === here || (here.startsWith(`${href}/`) && hasPagesBelow(href)))
    if (found.length > 0) return found.reduce((longest, each) => (each.href.length > longest.href.length ? each : longest)).page
  }
  return undefined
}

interface SearchOf {
  readonly caller: Caller
  readonly workspaceId: string
  readonly siteId: string | undefined
  readonly viewer: Viewer
  readonly here: string
}

/** Builds the search field of the workspace. In a site, it searches only that site. */
function searchOf(app: App, { caller, workspaceId, siteId, viewer, here }: SearchOf): Search | undefined {
  const page = pageThat(app.table, 'top', each => placeOf(each) === 'top')
  const [name] = (page?.input.required ?? []) as readonly string[]
  if (!page || name === undefined || workspaceId === '' || !app.allows(caller, page)) return undefined
  const href = filled(page.path, { workspace_id: workspaceId })
  if (href === here) return undefined // the search page has its own field
  return {
    href,
    label: declaredText(viewer, titleOf(page)),
    name,
    kept: siteId !== undefined && Object.hasOwn(page.input.properties, 'site_id') ? { site_id: siteId } : {},
  }
}

/** Path that a link to a container opens: the first page of its navigation. */
export function homeOf(app: App, { container, caller, id }: { container: NamedOperation; caller: Caller; id: string }): string {
  const first = orderedBelow(app.table, container).find(operation => app.allows(caller, operation))
  return filled((first ?? container).path, { [parameterOf(container)]: id })
}
