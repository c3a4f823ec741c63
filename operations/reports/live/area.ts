import { area } from '../../../runtime/area.ts'
import * as operations from './operations.ts'

export default area({
  name: 'Live',
  description: 'Who is on a site now.',
  operations,
  everyday: ['live_get'],
})
