import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'
import * as tasks from './tasks.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

export default area({
  name: 'Channel rules',
  description: 'Channel rules: custom channels of a site, applied before the default grouping.',
  manual: '/documentation/analytics#3-dimensions-filters-channels',
  operations,
  views: () => import('./pages.tsx'),
  asked: {
    channel_rules_create: 'own channels, custom channel group, define a channel, partner channel, change how channels are grouped',
    channel_rules_preview: 'what would channels look like, try channel rules',
    channel_rules_apply: 'reclassify past visits, apply channels to history',
    channel_applications_cancel: 'stop reclassifying',
    channel_applications_list: 'is reclassifying done, progress of channels',
  },
  ids,
  tasks,
  tables: ['channel_rules', 'channel_rule_sets', 'channel_applications'],
  expiring: [{ table: 'channel_applications', key: ['id'], from: 'finished_at', afterMs: 90 * DAY_MS }],
  example: () => import('./example.ts'),
})
