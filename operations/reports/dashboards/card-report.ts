import { linkTo } from '../../../runtime/ui/links.ts'
import { listOf } from '../../../runtime/ui/view.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { CheckAvailability } from '../availability/records.ts'
import { FunnelReport } from '../funnels/records.ts'
import { Live } from '../live/records.ts'
import { Breakdown, Overview, QueryTable } from '../stats/index.ts'
import { tableParams } from './table-params.ts'
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
    case 'table': {
      const { dimensions, metrics, filters, order } = tableParams(params)
      const query = new URLSearchParams([...dimensions.map(each => ['dimensions', each]), ...metrics.map(each => ['metrics', each])])
      for (const [name, value] of Object.entries({
        ...over,
        sort: metric,
        order,
        filters: filters ? JSON.stringify(filters) : undefined,
      })) {
        if (value !== undefined) query.set(name, value)
      }
      const path = pathOf(QueryTable, { site_id })
      return path && `${path}?${query}`
    }
    default:
      return linkTo(pathOf(Overview, { site_id }), own, { ...over, ...(metric !== undefined && { metric }) })
  }
}
