/** Tabs of the overview that read a report of their own when they are open: the map, and values of a property. */
import type { Child } from 'hono/jsx'
import { WorldMap } from '../../../../runtime/ui/charts/map.tsx'
import { plainNumber } from '../../../../runtime/ui/format.ts'
import { labelIn } from '../../../../runtime/ui/labels.ts'
import { conditioner } from '../../../../runtime/ui/toolbar.tsx'
import type { ViewedPage } from '../../../../runtime/ui/viewed-page.ts'
import { withQuery } from '../../../../runtime/ui/words.ts'
import { includesImported } from '../components.tsx'
import { stats_breakdown } from '../operations.ts'
import { propertyKeys } from '../records.ts'
import type { PanelRow } from './overview-panel.tsx'
import { askedBy } from './narrowed-by.ts'
import { propertyDimension } from './panels.ts'
import { m } from '../messages.ts'
import { say } from '../../../../runtime/texts/say.ts'

/** More countries than there are. */
const MAX_COUNTRIES = 300
const MAX_KEYS = 8
const MAX_VALUES = 9

/** All countries of the period; a click filters by one. */
export async function countryMap(page: ViewedPage): Promise<Child> {
  const { url, viewer } = page
  const report = await page.ask(stats_breakdown, {
    dimension: 'country',
    ...askedBy(url),
    compare: 'none',
    include_imported: includesImported(url),
    metrics: ['visitors'],
    limit: MAX_COUNTRIES,
  })
  const narrowed = conditioner(url, 'country')
  return (
    <WorldMap
      label={say(viewer, m.countries_map)}
      values={(report?.rows ?? []).map(row => ({
        country: row.value,
        value: row.visitors ?? 0,
        says: `${labelIn('country', row, viewer)}: ${plainNumber(row.visitors ?? 0, viewer)}`,
        href: narrowed(row.value),
      }))}
    />
  )
}

interface PropertyTab {
  readonly dimension: string | undefined
  readonly rows: readonly PanelRow[]
  /** Links to other properties. */
  readonly above: Child
}

/** Values of one property, and the other properties. @param key defaults to the most frequent one */
export async function propertyTab(page: ViewedPage, { panel, key }: { panel: string; key: string | undefined }): Promise<PropertyTab> {
  const { url, viewer } = page
  const found = ((await page.fill(propertyKeys, {})) ?? []).filter(each => page.may(propertyDimension(each))).slice(0, MAX_KEYS)
  const shown = key !== undefined && page.may(propertyDimension(key)) ? key : found[0]
  if (shown === undefined) return { dimension: undefined, rows: [], above: null }
  const dimension = propertyDimension(shown)
  const report = await page.ask(stats_breakdown, { dimension, ...askedBy(url), limit: MAX_VALUES })
  const keys = found.includes(shown) ? found : [shown, ...found]
  return {
    dimension,
    rows: report?.rows ?? [],
    above: (
      <nav class="tabs" aria-label={say(viewer, m.choose_property)}>
        {keys.map(each => (
          <a href={`${withQuery(url, { [panel]: propertyDimension(each) })}#${panel}`} aria-current={each === shown ? 'true' : undefined}>
            {each}
          </a>
        ))}
      </nav>
    ),
  }
}
