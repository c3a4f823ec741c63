import { fill } from '../../../../runtime/ui/slot.ts'
import { type SiteFigures, siteFigures } from '../../../sites/sites/records.ts'
import { reportsPath } from '../../../sites/tracking/records.ts'
import { stats_overview, stats_timeseries } from '../operations.ts'
import { sinceLooked } from './since-looked.ts'

export const pathOfReports = fill(reportsPath, ({ page }) => page.pathOf(stats_overview))

export const figuresOfSites = fill(siteFigures, async ({ sites, page }) => {
  const figures = sites.map(async (site): Promise<[string, SiteFigures]> => {
    const [report, since] = await Promise.all([
      page.ask(stats_timeseries, { site_id: site.id, period: '30d', metrics: ['visitors'], include_imported: true }),
      sinceLooked(site, page),
    ])
    return [site.id, { visitors: report?.series.map(({ visitors = 0 }) => visitors), newVisits: since?.visits }]
  })
  return new Map(await Promise.all(figures))
})
