import { area } from '../../../runtime/table/area.ts'
import { ids } from './client.ts'
import { forgotten } from './codes.ts'
import { authorize } from './consent.tsx'
import * as discovery from './discovery.ts'
import * as endpoints from './endpoints.ts'
import * as operations from './operations.ts'
import * as settings from './settings.ts'
import * as subscribers from './subscribers.ts'

export default area({
  name: 'OAuth',
  description: 'OAuth clients that members have connected, and their permissions.',
  manual: '/documentation/oauth',
  section: 'API tokens',
  operations,
  asked: {
    connected_clients_list: 'connected apps, which apps have access, oauth apps, authorized applications, integrations',
    connected_clients_delete: 'disconnect an app, remove access of an app, revoke an app',
  },
  endpoints: [discovery, endpoints],
  pages: { authorize },
  subscribers,
  settings,
  ids,
  tables: ['oauth_clients', 'oauth_codes', 'oauth_grants', 'oauth_refresh_tokens'],
  expiring: [
    { table: 'oauth_clients', key: ['id'], from: 'expires_at', afterMs: 0 },
    { table: 'oauth_refresh_tokens', key: ['hash'], from: 'expires_at', afterMs: 0 },
    forgotten,
  ],
  example: () => import('./example.ts'),
})
