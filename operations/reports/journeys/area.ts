import { area } from '../../../runtime/area.ts'
import * as operations from './operations.ts'

export default area({
  name: 'Journeys',
  description: 'The ways that visits take through a site.',
  section: 'Analytics',
  operations,
  everyday: ['journeys_explore'],
})
