import { area } from '../../../runtime/area.ts'

export default area({
  name: 'Performance',
  description: 'Web vitals of sites and pages.',
})
