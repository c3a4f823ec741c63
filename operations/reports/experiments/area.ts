import { area } from '../../../runtime/area.ts'
import * as operations from './operations.ts'

export default area({
  name: 'Experiments',
  description: 'How the variants of an experiment compare.',
  section: 'Analytics',
  operations,
  everyday: ['experiments_report'],
})
