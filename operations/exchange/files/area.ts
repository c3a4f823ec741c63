import { area } from '../../../runtime/area.ts'
import * as settings from './settings.ts'

export default area({
  name: 'Files',
  description: 'Uploads and downloads.',
  settings,
})
