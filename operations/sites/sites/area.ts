import { area } from '../../../runtime/table/area.ts'
import * as events from './events.ts'
import * as groups from './groups.ts'
import * as operations from './operations.ts'
import * as prompts from './prompts.ts'
import { ids } from './records.ts'
import * as subscribers from './subscribers.ts'
import * as tasks from './tasks.ts'
import * as transfers from './transfers.ts'

export default area({
  name: 'Sites',
  description: 'Sites send hits, and have reports and settings.',
  manual: '/documentation/collecting',
  operations: { ...operations, ...groups, ...transfers },
  prompts,
  readable: ['sites_list'],
  everyday: ['sites_list', 'sites_get'],
  asked: {
    sites_list: 'which sites, my websites, my sites, domains',
    sites_create:
      'add a website, new site, new domain, start tracking, set up a site, install, add my blog, add my shop, add a domain, add a page of mine',
    sites_update:
      'rename the site, time zone of the site, timezone, currency, change the domain, make public, alias of a site, second domain, old domain, Umami website id',
    site_groups_create: 'sites together, all sites in one report, several sites, combine sites, total of my sites, roll-up',
    sites_transfer_offer: 'give a site to another company, hand over a site, transfer a site, move a site to another workspace',
    sites_transfer_accept: 'receive a site, code of a site, take over a site of another workspace',
    sites_get: 'settings of the site, what is the time zone, currency of the site, domain of the site',
  },
  events,
  tasks,
  subscribers,
  views: () => import('./pages.tsx'),
  ids,
  tables: ['sites', 'site_aliases', 'group_sites', 'site_offers'],
  expiring: [{ table: 'site_offers', key: ['site_id'], from: 'expires_at', afterMs: 0 }],
  sealed: [{ table: 'sites', column: 'identity_key' }],
  example: () => import('./example.ts'),
})
