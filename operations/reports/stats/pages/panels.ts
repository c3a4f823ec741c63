/** Panels of the overview with their tabs: values of a dimension, a map of them, or values of a property. */
import type { Viewer } from '../../../../runtime/ui/format.ts'
import type { PlainMessage } from '../../../../runtime/texts/message.ts'
import { say } from '../../../../runtime/texts/say.ts'
import { conditionsIn } from '../../../../runtime/ui/toolbar.tsx'
import { tabNames } from '../messages.ts'

/** A dimension, or one of the tabs that show something else. */
export type TabName = keyof typeof tabNames

export interface PanelTabs {
  readonly name: string
  readonly tabs: readonly TabName[]
}

/** Without more of the address, the first tab is shown. */
export const panels: readonly PanelTabs[] = [
  { name: 'sources', tabs: ['source', 'channel', 'utm_campaign', 'referrer'] },
  { name: 'pages', tabs: ['page', 'entry_page', 'exit_page'] },
  { name: 'places', tabs: ['country', 'map', 'region', 'city', 'language'] },
  { name: 'devices', tabs: ['browser', 'os', 'device', 'screen'] },
  { name: 'goals', tabs: ['goal', 'event', 'property'] },
]
/** On the overview of a group of sites. */
export const sitesPanel: PanelTabs = { name: 'sites', tabs: ['site'] }
/** The panel with the usual week has no tabs. */
export const WEEK = 'week'

/** Begins the tab of a property, before its key: `property:plan`. */
const PROPERTY = 'property:'

const isTab = (name: string): name is TabName => Object.hasOwn(tabNames, name)

/** A name for the values of a dimension: `Countries`. */
export function panelWords(dimension: string, viewer: Viewer): string | undefined {
  return isTab(dimension) ? say(viewer, tabNames[dimension]) : undefined
}

export const tabLabel = (tab: TabName): PlainMessage => tabNames[tab]

/** The panels that have something to show, each with the tabs that the viewer may see. @param may whether a dimension may be seen */
export const panelsFor = (may: (dimension: string) => boolean): readonly PanelTabs[] =>
  panels
    .map(({ name, tabs }) => ({ name, tabs: tabs.filter(tab => may(tab === 'map' ? 'country' : tab)) }))
    .filter(({ tabs }) => tabs.length > 0)

/** The tab of a panel that an address asks for, and the key of its property. */
export function tabOf(query: URLSearchParams, { name, tabs }: PanelTabs): { readonly tab: TabName; readonly key?: string } {
  const asked = query.get(name) ?? ''
  if (asked.startsWith(PROPERTY) && tabs.includes('property')) return { tab: 'property', key: asked.slice(PROPERTY.length) }
  return { tab: tabs.find(tab => tab === asked) ?? tabs[0] ?? 'source' }
}

/** The dimension whose values the overview reads for a tab; undefined for properties, whose keys are read first. */
export const dimensionOfTab = (tab: TabName): string | undefined => (tab === 'property' ? undefined : tab === 'map' ? 'country' : tab)

/** Dimensions that divide a value of another one. */
const parts: Readonly<Record<string, string>> = {
  channel: 'source',
  source: 'referrer',
  country: 'region',
  region: 'city',
  browser: 'browser_version',
  os: 'os_version',
}

/** The dimension of a tab. If a filter leaves only one value of it, the dimension of its parts: regions of a country, versions of a browser. */
export function dimensionShown(tab: TabName, query: URLSearchParams, may: (dimension: string) => boolean): string | undefined {
  if (tab === 'map') return dimensionOfTab(tab)
  const single = new Set(conditionsIn({ searchParams: query }).flatMap(each => (isSingle(each) ? [each[0]] : [])))
  let shown = dimensionOfTab(tab)
  for (let part = shown && parts[shown]; shown && part && single.has(shown) && may(part); part = parts[shown]) shown = part
  return shown
}

const isSingle = (condition: unknown): condition is [string, ...unknown[]] => {
  if (!Array.isArray(condition) || typeof condition[0] !== 'string') return false
  const [, operator, value] = condition
  return (
    (operator === 'is' && !Array.isArray(value)) ||
    (Array.isArray(value) && value.length === 1 && ['is', 'any_of'].includes(String(operator)))
  )
}

export const propertyDimension = (key: string): string => PROPERTY + key
