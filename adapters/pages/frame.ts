/** What stands around a page: the navigation of its site and workspace, and who looks at it. */
import type { Answer, App } from '../../runtime/app.ts'
import { isRefusal } from '../../runtime/app.ts'
import { type Caller, callerIn } from '../../runtime/caller.ts'
import { isObject } from '../../runtime/json.ts'
import type { Place } from '../../runtime/operation.ts'
import type { NamedOperation } from '../../runtime/table.ts'
import type { Viewer } from './format.ts'
import { inLanguage } from './languages/index.ts'
import { nameOf } from './list.tsx'
import { needsInput, placeOf, placesInOrder, recordOf, spotsOf, titleOf } from './places.ts'
import { views } from './views/index.ts'
import { filled, words } from './words.ts'

export interface NavigationItem {
  readonly href: string
  readonly label: string
  readonly isHere: boolean
}
export interface NavigationGroup {
  readonly label: string
  readonly items: readonly NavigationItem[]
  /** Whether its items are seen before it is opened. */
  readonly isOpen: boolean
}
export interface Frame {
  readonly groups: readonly NavigationGroup[]
  /** The site or workspace that the page is in. */
  readonly within: { readonly href: string; readonly label: string } | undefined
  readonly theme: string
  readonly locale: string
  /** Whether keys do something, and whether what moves stands still, as the account says. */
  readonly hasKeys: boolean
  readonly isStill: boolean
}

export type Ask = (
  operation: NamedOperation,
  path: Readonly<Record<string, string>>,
  input?: Readonly<Record<string, unknown>>,
) => Promise<Answer>

/** The records that everything else is in, by the names of their subjects. */
export interface Surroundings {
  readonly site: Readonly<Record<string, unknown>> | undefined
  readonly workspace: Readonly<Record<string, unknown>> | undefined
  readonly account: Readonly<Record<string, unknown>> | undefined
  readonly viewer: Viewer
}

const placeWords = new Map<Place, string>([
  ['reports', 'Reports'],
  ['content', 'Content'],
  ['watching', 'Watching'],
  ['settings', 'Settings'],
])

/** Navigation below a record, in its order: by place, what has a view of its own first. */
export function itemsBelow({ table, allows }: App, container: NamedOperation, caller: Caller): readonly NamedOperation[] {
  const items = spotsOf(table).navigation.get(container.path) ?? []
  const rank = (operation: NamedOperation): number =>
    placesInOrder.indexOf(placeOf(operation)) * 3 + (needsInput(operation) ? 2 : Object.hasOwn(views, viewKey(operation)) ? 0 : 1)
  return items.filter(operation => allows(caller, operation)).toSorted((a, b) => rank(a) - rank(b))
}

/** A view is that of a record, or of a list of it. */
export const viewKey = (operation: NamedOperation): string =>
  operation.answers.kind === 'list' ? `[${recordOf(operation) ?? ''}]` : (recordOf(operation) ?? '')

/** The page of the record that a subject names, at a path of its own: `/sites/{site_id}`. */
export function containerOf({ table }: App, subject: string): NamedOperation | undefined {
  const pages = [...spotsOf(table).byId.values()].map(({ operation }) => operation)
  return pages.find(({ path, on }) => on.length === 1 && on[0]?.name === subject && /^\/\w+\/\{\w+\}$/.test(path))
}

const parameterOf = ({ path }: NamedOperation): string => /\{(\w+)\}/.exec(path)?.[1] ?? 'id'

/** @param at ids of the site and the workspace, where the page is in any */
export async function surroundings(
  app: App,
  ask: Ask,
  at: { readonly siteId: string | null; readonly workspaceId: string | undefined },
): Promise<Surroundings> {
  const recordAt = async (operation: NamedOperation | undefined, id: string | null | undefined) => {
    if (!operation || !id) return undefined
    return dataOf(await ask(operation, { [parameterOf(operation)]: id }))
  }
  const self = [...spotsOf(app.table).byId.values()].find(
    ({ operation }) => operation.access === 'account' && operation.on.length === 0,
  )?.operation
  const [site, workspace, account] = await Promise.all([
    recordAt(containerOf(app, 'site'), at.siteId),
    recordAt(containerOf(app, 'workspace'), at.workspaceId),
    self ? ask(self, {}).then(dataOf) : undefined,
  ])
  const text = (...given: unknown[]): string | undefined =>
    given.find(each => typeof each === 'string' && each !== '') as string | undefined // found by its type
  return {
    site,
    workspace,
    account,
    viewer: {
      locale: text(account?.locale) ?? 'en',
      timezone: text(account?.timezone, site?.timezone) ?? 'UTC',
      currency: text(site?.currency) ?? 'USD',
    },
  }
}

export function dataOf(answer: Answer): Readonly<Record<string, unknown>> | undefined {
  if (isRefusal(answer) || !isObject(answer.body)) return undefined
  return isObject(answer.body.data) ? answer.body.data : undefined
}

/** @param here path of the page */
export function frameOf(app: App, caller: Caller, around: Surroundings, here: string): Frame {
  const { site, workspace, account } = around
  const siteId = typeof site?.id === 'string' ? site.id : undefined
  const workspaceId = typeof workspace?.id === 'string' ? workspace.id : caller.workspaceId
  const [ofSite, ofWorkspace] = [containerOf(app, 'site'), containerOf(app, 'workspace')]
  const as = callerIn(caller, workspaceId)
  const groups: NavigationGroup[] = []
  const item = (operation: NamedOperation, href: string): NavigationItem => ({
    href,
    label: inLanguage(around.viewer, titleOf(operation)),
    isHere: false,
  })
  const add = (
    container: NamedOperation | undefined,
    id: string | undefined,
    label: (place: Place) => string,
    itself: string,
    shown: readonly Place[] = placesInOrder,
  ) => {
    if (!container || !id) return
    const path = { [parameterOf(container)]: id }
    const items = itemsBelow(app, container, as)
    for (const place of shown) {
      const those = items.filter(operation => placeOf(operation) === place).map(operation => item(operation, filled(operation.path, path)))
      if (place === 'settings' && app.allows(as, container)) {
        const href = filled(container.path, path)
        those.unshift({ href, label: inLanguage(around.viewer, itself), isHere: false })
      }
      if (those.length > 0) groups.push({ label: inLanguage(around.viewer, label(place)), items: those, isOpen: place !== 'settings' })
    }
  }
  add(ofSite, siteId, place => placeWords.get(place) ?? words(place), 'Site')
  const named = nameOf(workspace) ?? 'Workspace'
  if (workspaceId !== '') {
    const its = (place: Place): string => (place === 'content' ? named : (placeWords.get(place) ?? words(place)))
    // In a site, its workspace is one short group: what else it has is beside the pages of the workspace.
    add(ofWorkspace, workspaceId, its, 'Workspace', siteId === undefined ? placesInOrder : ['content'])
  }
  return {
    groups: withOneHere(groups, here),
    within: site && siteId !== undefined && ofSite ? { href: homeOf(app, ofSite, as, siteId), label: nameOf(site) ?? siteId } : undefined,
    theme: typeof account?.theme === 'string' ? account.theme : 'system',
    locale: around.viewer.locale,
    hasKeys: account?.shortcuts_enabled !== false,
    isStill: account?.reduce_motion === true,
  }
}

/** `/uptime/probe_tokens` is below `/uptime`, too: where several fit, the longest is meant. */
function withOneHere(groups: readonly NavigationGroup[], here: string): readonly NavigationGroup[] {
  const fits = groups
    .flatMap(({ items }) => items)
    .filter(({ href }) => href === here || (href.split('/').length > 3 && here.startsWith(`${href}/`)))
  const longest = Math.max(0, ...fits.map(({ href }) => href.length))
  const isHere = ({ href }: NavigationItem) => href.length === longest && fits.some(fit => fit.href === href)
  return groups.map(({ label, items, isOpen }) => {
    const found = items.map(item => ({ ...item, isHere: isHere(item) }))
    return { label, items: found, isOpen: isOpen || found.some(item => item.isHere) }
  })
}

/** Path that a link to a container leads to: the first of its navigation. */
export function homeOf(app: App, container: NamedOperation, caller: Caller, id: string): string {
  const [first] = itemsBelow(app, container, caller)
  return filled((first ?? container).path, { [parameterOf(container)]: id })
}
