import { area } from '../../../runtime/table/area.ts'

export default area({
  name: 'Availability',
  description: 'How much of the time checks were up.',
})
