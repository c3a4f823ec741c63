import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'
import * as settings from './settings.ts'

export default area({
  name: 'Website',
  description: 'This installation: its name and its public information.',
  operations,
  asked: { website_get: 'name of this installation, privacy policy, imprint, terms, how can people sign in' },
  settings,
})
