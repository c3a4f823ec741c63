import { area } from '../../../runtime/area.ts'
import { api_token } from './authenticator.ts'
import * as operations from './operations.ts'
import * as subscribers from './subscribers.ts'

export default area({
  name: 'API tokens',
  description: 'Tokens that programs call with: what they may do, for which sites, from where, until when.',
  operations,
  subscribers,
  authenticators: { api_token },
  tables: ['api_tokens'],
})
