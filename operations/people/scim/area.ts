import { area } from '../../../runtime/table/area.ts'
import { scim } from './authenticator.ts'
import * as endpoints from './endpoints.ts'
import * as operations from './operations.ts'

export default area({
  name: 'SCIM',
  description: 'Members that an identity provider adds, changes and removes (SCIM 2.0).',
  manual: '/documentation/single-sign-on',
  operations,
  endpoints,
  authenticators: { scim },
  tables: ['scim_tokens', 'scim_users'],
  example: () => import('./example.ts'),
})
