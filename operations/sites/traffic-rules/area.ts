import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'
import * as settings from './settings.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

export default area({
  name: 'Traffic rules',
  description: 'Traffic rules: hits that are not counted, by address, country, host, page, referrer, user agent or event; bots and spam.',
  manual: '/documentation/collecting#when-a-hit-is-kept',
  operations,
  views: () => import('./pages.tsx'),
  asked: {
    traffic_rules_list: 'blocked addresses, excluded IPs, my IP address, filters of traffic, ignored visitors',
    traffic_rules_create:
      'exclude my own visits, block an IP address, block a country, ignore our office, exclude a page, block a referrer, block spam, only count my domain, allow list',
    traffic_settings_update: 'block bots, stricter bot filter, referrer spam, count bots too',
    traffic_settings_get: 'are bots blocked, is spam filtered, bot filter',
  },
  ids,
  settings,
  tables: ['traffic_rules', 'traffic_rule_matches', 'traffic_settings'],
  expiring: [{ table: 'traffic_rule_matches', key: ['rule_id', 'day'], from: 'last_at', afterMs: 32 * DAY_MS }],
  example: () => import('./example.ts'),
})
