import { area } from '../../../runtime/area.ts'
import * as operations from './operations.ts'

export default area({
  name: 'API tokens',
  description: 'Tokens that programs call with: what they may do, for which sites, from where, until when.',
  operations,
  tables: ['api_tokens'],
})
