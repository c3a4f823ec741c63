import { area } from '../../../runtime/table/area.ts'
import { api_token } from './authenticator.ts'
import { caller_get } from './caller-operation.ts'
import * as operations from './operations.ts'
import * as subscribers from './subscribers.ts'

export default area({
  name: 'API tokens',
  description: 'API tokens for programs, with their permissions, sites, IP addresses and expiry.',
  manual: '/documentation/api',
  operations: { ...operations, caller_get },
  asked: {
    api_tokens_create: 'api key, new key, new token, access token, credentials',
    api_tokens_delete: 'revoke a token, revoke a key, invalidate',
    api_tokens_rotate: 'rotate a key, renew a token, new secret for a token, leaked key',
    api_tokens_list: 'which api keys, which tokens',
    caller_get: 'who am i, whoami, which permissions do i have, which account is this, what may this token do',
  },
  subscribers,
  authenticators: { api_token },
  example: () => import('./example.ts'),
  views: () => import('./pages.tsx'),
  tables: ['api_tokens'],
})
