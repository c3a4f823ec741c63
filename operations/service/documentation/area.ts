import { area } from '../../../runtime/table/area.ts'
import * as endpoints from './endpoints.ts'
import * as operations from './operations.ts'
import * as pages from './pages.tsx'

export default area({
  name: 'Documentation',
  description: 'The manual of this service.',
  operations,
  asked: {
    documentation_list: 'manual, docs, help pages, what can i read',
    documentation_search:
      'how do i, how does it work, look up in the docs, search the documentation, what does it mean, explain, definition of',
    documentation_get: 'read the documentation, page of the manual, docs about',
  },
  endpoints,
  pages,
})
