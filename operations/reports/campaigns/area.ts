import { area } from '../../../runtime/table/area.ts'
import * as campaigns from './campaigns.ts'
import * as endpoints from './endpoints.ts'
import * as hosts from './link-hosts.ts'
import * as links from './links.ts'
import { ids } from './records.ts'
import * as reports from './report.ts'

export default area({
  name: 'Campaigns',
  description: 'Campaigns with their cost and results, and tagged links.',
  manual: '/documentation/analytics#6-single-reports',
  operations: [campaigns, links, hosts, reports],
  views: () => import('./pages.tsx'),
  everyday: ['campaigns_report'],
  asked: {
    campaigns_report:
      'which campaign works, return on investment, ROI, cost per conversion, ad spend, marketing campaigns, campaign performance',
    campaigns_create: 'new campaign, register a campaign, ad budget, cost of a campaign',
    campaign_links_create: 'UTM builder, build a UTM link, short link, tagged link, link for a newsletter',
    campaign_links_list: 'clicks on short links, my campaign links',
    link_hosts_create: 'allow short links to another domain, allow a host for links',
    link_hosts_list: 'where short links may lead',
  },
  endpoints,
  ids,
  tables: ['campaigns', 'campaign_links', 'link_hosts'],
  example: () => import('./example.ts'),
})
