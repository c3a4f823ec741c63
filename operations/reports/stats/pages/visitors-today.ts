import { fill } from '../../../../runtime/ui/slot.ts'
import { visitorsToday } from '../../../sites/sites/records.ts'
import { stats_aggregate } from '../operations.ts'

/** For the menu of sites. A site whose reports the viewer may not see has none. */
export const visitorsOfToday = fill(visitorsToday, async ({ sites, page }) => {
  const found = sites.map(async ({ id }): Promise<[string, number][]> => {
    const visitors = (await page.ask(stats_aggregate, { site_id: id, period: 'today' }))?.metrics.visitors
    return typeof visitors === 'number' ? [[id, visitors]] : []
  })
  return new Map((await Promise.all(found)).flat())
})
