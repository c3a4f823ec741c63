import { area } from '../../../runtime/table/area.ts'

export default area({
  name: 'Set-up',
  description: 'The first steps from the machine itself.',
})
