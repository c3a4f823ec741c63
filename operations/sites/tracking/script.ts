/** The script of a site, with its settings. */
import type { SiteTrackingRow } from '../../../storage/tables/tracking.ts'
import type { ClickGoal } from '../goals/index.ts'
import { SETTINGS, type Tracker } from '../../../tracker/tracker.ts'

export const scriptUrl = (baseUrl: string, { script_path }: Pick<SiteTrackingRow, 'script_path'>): string => `${baseUrl}/${script_path}.js`

interface ScriptParts {
  readonly tracker: Tracker
  /** URL of the script itself, for pages that load it without a tag. */
  readonly src: string
  readonly goals: readonly ClickGoal[]
}

export function scriptOf(row: SiteTrackingRow, { tracker: { site, vitals }, src, goals }: ScriptParts): string {
  const listed = (json: string) => (JSON.parse(json) as string[]).join()
  const settings = {
    src,
    hash: row.hash === 1,
    outbound: row.outbound_links === 1,
    downloads: row.downloads === 1,
    extensions: listed(row.download_extensions),
    forms: row.forms === 1,
    clicks: row.clicks === 1,
    dnt: row.respect_dnt === 1,
    include: listed(row.include),
    exclude: listed(row.exclude),
    goals: goals.map(({ selector, event }) => [selector, event]),
  }
  // A JSON text within a JavaScript string. Escape `<`, so that a page may also inline the script.
  const literal = JSON.stringify(JSON.stringify(settings)).replace(/</g, '\\u003c')
  const own = site.replace(`"${SETTINGS}"`, () => literal)
  return row.vitals === 1 ? `${own}\n${vitals}` : own
}
