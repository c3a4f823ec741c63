import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'

export default area({
  name: 'Segments',
  description: 'Segments are named filters of reports.',
  manual: '/documentation/analytics#3-dimensions-filters-channels',
  operations,
  views: () => import('./pages.tsx'),
  everyday: ['segments_list', 'segments_create'],
  asked: {
    segments_list: 'saved segments, saved filters, audiences',
    segments_create: 'save a filter, save a segment, new segment, cohort, audience',
  },
  ids,
  tables: ['saved_segments'],
  example: () => import('./example.ts'),
})
