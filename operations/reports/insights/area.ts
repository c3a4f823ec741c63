import { area } from '../../../runtime/area.ts'
import * as operations from './operations.ts'

export default area({
  name: 'Insights',
  description: 'What changed, and what it came from.',
  section: 'Analytics',
  operations,
  everyday: ['insights_get'],
})
