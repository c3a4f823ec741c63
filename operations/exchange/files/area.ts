import { area } from '../../../runtime/table/area.ts'
import * as checks from './checks.ts'
import * as settings from './settings.ts'

export default area({
  name: 'Files',
  description: 'Uploads and downloads.',
  manual: '/documentation/export',
  checks,
  settings,
})
