import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'

export default area({
  name: 'Search',
  description: 'Everything that can be listed, by its name.',
  manual: '/documentation/api#search',
  operations,
  views: () => import('./pages.tsx'),
  asked: { search_query: 'find anything, find by name, where is, look for, search for, search everywhere' },
})
