import { linkTo } from '../../../runtime/ui/links.ts'
import { listOf } from '../../../runtime/ui/view.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { CheckAvailability } from '../availability/records.ts'
import { FunnelReport } from '../funnels/records.ts'
import { Live } from '../live/records.ts'
import { Breakdown, Overview } from '../stats/index.ts'
import type { Card } from './records.ts'

/** Returns the URL of the page with the whole report of a card. */
export function reportOf({ type, site_id, params }: Card, { pathOf, url }: ViewedPage): string | undefined {
  const { period, dimension = 'page', funnel_id = '', metric } = params
  const over: Readonly<Record<string, string>> = period === undefined ? {} : { period }
  const own = new URL(url.pathname, url)
  switch (type) {
    case 'breakdown':
      return linkTo(pathOf(Breakdown, { site_id, dimension: dimension || 'page' }), own, over)
    case 'goal':
      return linkTo(pathOf(Breakdown, { site_id, dimension: 'goal' }), own, over)
    case 'live':
      return pathOf(Live, { site_id })
    case 'funnel':
      return linkTo(pathOf(FunnelReport, { site_id, id: funnel_id }), own, over)
    case 'uptime':
      return pathOf(listOf(CheckAvailability), { site_id })
    default:
      return linkTo(pathOf(Overview, { site_id }), own, { ...over, ...(metric !== undefined && { metric }) })
  }
}
