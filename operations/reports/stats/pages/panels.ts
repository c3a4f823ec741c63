/** Panels of the overview with their tabs, which are dimensions of breakdowns, and the names of these dimensions. */
import type { Viewer } from '../../../../runtime/ui/format.ts'
import { declaredText } from '../../../../runtime/texts/catalogues.ts'

export interface PanelTabs {
  readonly name: string
  /** Names by dimension. */
  readonly tabs: Readonly<Record<string, string>>
}

export const panels: readonly PanelTabs[] = [
  { name: 'sources', tabs: { source: 'Sources', channel: 'Channels', utm_campaign: 'Campaigns', referrer: 'Referrers' } },
  { name: 'pages', tabs: { page: 'Pages', entry_page: 'Entry pages', exit_page: 'Exit pages' } },
  { name: 'places', tabs: { country: 'Countries', region: 'Regions', city: 'Cities', language: 'Languages' } },
  { name: 'devices', tabs: { browser: 'Browsers', os: 'Systems', device: 'Devices', screen: 'Screens' } },
  { name: 'goals', tabs: { goal: 'Goals', event: 'Events' } },
]

/** A name for the values of a dimension: `Countries`. */
export function panelWords(dimension: string, viewer: Viewer): string | undefined {
  const found = panels.find(({ tabs }) => Object.hasOwn(tabs, dimension))?.tabs[dimension]
  return found === undefined ? undefined : declaredText(viewer, found)
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
