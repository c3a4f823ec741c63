import { fill } from '../../../../runtime/ui/slot.ts'
import { type SiteFigures, siteFigures, type SiteSums } from '../../../sites/sites/records.ts'
import { reportsPath } from '../../../sites/tracking/records.ts'
import { stats_overview } from '../operations.ts'
import { sinceLooked } from './since-looked.ts'

export const pathOfReports = fill(reportsPath, ({ page }) => page.pathOf(stats_overview))

const sumsOf = ({ visitors, pageviews, revenue }: SiteSums): SiteSums => ({ visitors, pageviews, revenue })

export const figuresOfSites = fill(siteFigures, async ({ sites, period, page }) => {
  const figures = sites.map(async (site): Promise<[string, SiteFigures][]> => {
    const [report, since] = await Promise.all([
      page.ask(stats_overview, { site_id: site.id, period, compare: 'previous_period', panels: [], include_imported: true }),
      sinceLooked(site, page),
    ])
    if (!report) return []
    const { series, metrics, comparison, live_visitors: live } = report
    const before = comparison && sumsOf(comparison.metrics)
    return [[site.id, { series: series.map(({ visitors = 0 }) => visitors), now: sumsOf(metrics), before, live, newVisits: since?.visits }]]
  })
  return new Map((await Promise.all(figures)).flat())
})
