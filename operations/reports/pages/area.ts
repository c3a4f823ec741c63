import { area } from '../../../runtime/area.ts'
import * as operations from './operations.ts'

export default area({
  name: 'Pages',
  description: 'One page of a site: its visits, where they came from, its clicks.',
  section: 'Analytics',
  operations,
  everyday: ['pages_detail'],
})
