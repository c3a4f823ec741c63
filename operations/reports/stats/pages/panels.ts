/** Panels of the overview with their tabs, which are dimensions of breakdowns, and the names of these dimensions. */
import type { Viewer } from '../../../../runtime/ui/format.ts'
import type { PlainMessage } from '../../../../runtime/texts/message.ts'
import { say } from '../../../../runtime/texts/say.ts'
import { tabNames } from '../messages.ts'

export interface PanelTabs {
  readonly name: string
  /** Names by dimension. */
  readonly tabs: Readonly<Record<string, PlainMessage>>
}

const tabsOf = (...dimensions: (keyof typeof tabNames)[]): PanelTabs['tabs'] =>
  Object.fromEntries(dimensions.map(dimension => [dimension, tabNames[dimension]]))

export const panels: readonly PanelTabs[] = [
  { name: 'sources', tabs: tabsOf('source', 'channel', 'utm_campaign', 'referrer') },
  { name: 'pages', tabs: tabsOf('page', 'entry_page', 'exit_page') },
  { name: 'places', tabs: tabsOf('country', 'region', 'city', 'language') },
  { name: 'devices', tabs: tabsOf('browser', 'os', 'device', 'screen') },
  { name: 'goals', tabs: tabsOf('goal', 'event') },
]

/** A name for the values of a dimension: `Countries`. */
export function panelWords(dimension: string, viewer: Viewer): string | undefined {
  const found = panels.find(({ tabs }) => Object.hasOwn(tabs, dimension))?.tabs[dimension]
  return found === undefined ? undefined : say(viewer, found)
}

/** The panels that have something to show, each with the tabs that the viewer may see. */
export const panelsFor = (may: (dimension: string) => boolean): readonly PanelTabs[] =>
  panels
    .map(({ name, tabs }) => ({ name, tabs: Object.fromEntries(Object.entries(tabs).filter(([tab]) => may(tab))) }))
    .filter(({ tabs }) => Object.keys(tabs).length > 0)

/** The dimension that a panel shows. */
export function tabOf(query: URLSearchParams, { name, tabs }: PanelTabs): string {
  const asked = query.get(name) ?? ''
  return Object.hasOwn(tabs, asked) ? asked : (Object.keys(tabs)[0] ?? '')
}
