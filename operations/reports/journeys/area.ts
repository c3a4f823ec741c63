import { area } from '../../../runtime/area.ts'
import * as operations from './operations.ts'

export default area({
  name: 'Journeys',
  description: 'The paths of visits through a site.',
  section: 'Analytics',
  operations,
  everyday: ['journeys_explore'],
})
