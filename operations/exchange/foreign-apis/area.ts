import { area } from '../../../runtime/table/area.ts'
import { foreignApiEndpoints } from './routes.ts'

export default area({
  name: 'Other APIs',
  description: 'Reports for tools that read the API of Plausible, Umami or GoatCounter.',
  manual: '/documentation/moving#tools-that-read-an-api',
  operations: {},
  endpoints: foreignApiEndpoints,
})
