import { area } from '../../../runtime/area.ts'
import * as operations from './operations.ts'

export default area({
  name: 'Sharing',
  description: 'What of a public site anyone may see.',
  operations,
})
