import { area } from '../../../runtime/area.ts'
import * as events from './events.ts'

export default area({
  name: 'Exports',
  description: 'Data as files.',
  events,
})
