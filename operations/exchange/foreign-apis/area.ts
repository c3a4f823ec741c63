import { area } from '../../../runtime/table/area.ts'
import { foreignApiEndpoints } from './routes.ts'

export default area({
  name: 'APIs of other products',
  description: 'Reports for tools that read the API of Plausible or Umami.',
  manual: '/documentation/other-apis',
  operations: {},
  endpoints: foreignApiEndpoints,
})
