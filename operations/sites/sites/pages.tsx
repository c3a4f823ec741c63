import { settings } from '../../../runtime/ui/settings.ts'
import { listView } from '../../../runtime/ui/view.ts'
import { m } from './messages.ts'
import { sites_update } from './operations.ts'
import { Site, siteFigures } from './records.ts'
import { SiteTile } from './site-tile.tsx'

export { namesOfSites } from './site-names.ts'

/** Figures of each site cost a report, so that sites after these have none. */
const MOST_FIGURES = 24

/** General settings of a site. */
export const siteSettings = settings(sites_update, [
  { fields: ['name', 'domain', 'timezone', 'currency', 'week_start'] },
  { title: m.others_see, fields: ['public', 'umami_id'] },
])

/** Sites as tiles, each with the visitors of its last 30 days. */
export const sites = listView(Site, async ({ rows, page }) => {
  if (rows.length === 0) return undefined
  const figures = await page.fill(siteFigures, { sites: rows.slice(0, MOST_FIGURES) })
  return (
    <ul class="tiles">
      {rows.map(site => (
        <li>
          <SiteTile site={site} href={page.hrefOf(site)} figures={figures?.get(site.id)} viewer={page.viewer} />
        </li>
      ))}
    </ul>
  )
})
