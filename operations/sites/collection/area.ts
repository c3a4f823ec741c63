import { area } from '../../../runtime/table/area.ts'
import * as checks from './checks.ts'
import * as endpoints from './endpoints.ts'
import { foreignEndpoints } from './foreign/routes.ts'
import { scriptEndpoints } from './foreign/scripts.ts'
import * as gauges from './gauges.ts'
import * as meters from './meters.ts'
import * as logLines from './log-lines.ts'
import * as operations from './operations.ts'
import * as trafficTest from './traffic-test.ts'
import * as sentHits from './sent-hits.ts'
import * as settings from './settings.ts'
import * as tasks from './tasks.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

export default area({
  name: 'Collection',
  description: 'Collection of hits, and the reasons for dropped ones.',
  manual: '/documentation/collecting#when-a-hit-is-kept',
  operations: [operations, trafficTest, logLines, sentHits],
  views: () => import('./pages.tsx'),
  asked: {
    traffic_rules_test: 'am I blocked, is this address blocked, would this be counted, check a traffic rule, test a filter of traffic',
    collection_drops:
      'missing hits, hits missing, data missing, blocked bots, dropped hits, rejected hits, not counted, lost hits, why is nothing counted, ignored traffic, spam',
  },
  tasks,
  endpoints: { ...endpoints, ...foreignEndpoints, ...scriptEndpoints },
  settings,
  checks,
  meters,
  gauges,
  tables: ['hit_writers'],
  expiring: [{ table: 'hit_writers', key: ['writer'], from: 'updated_at', afterMs: 90 * DAY_MS }],
})
