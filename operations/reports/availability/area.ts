import { area } from '../../../runtime/table/area.ts'

export default area({
  name: 'Availability',
  description: 'Availability of uptime checks.',
})
