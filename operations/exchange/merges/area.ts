import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'
import * as subscribers from './subscribers.ts'
import * as tasks from './tasks.ts'

export default area({
  name: 'Merges',
  description: 'Two sites become one: the history of one moves into the other.',
  manual: '/documentation/collecting#merging-sites',
  operations,
  views: () => import('./pages.tsx'),
  asked: {
    sites_merge: 'merge two sites, combine sites, join websites, move data to another site, consolidate domains',
    sites_merge_preview: 'what would a merge of sites move',
    site_merges_list: 'is the merge of sites done, progress of a merge',
  },
  tasks,
  subscribers,
  ids,
  tables: ['site_merges'],
})
