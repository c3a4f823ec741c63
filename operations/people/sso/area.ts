import { area } from '../../../runtime/area.ts'
import * as domains from './domain-operations.ts'
import * as endpoints from './endpoints.ts'
import * as metadata from './metadata.ts'
import * as operations from './operations.ts'
import { sso_sign_in, sso_test_page } from './pages.tsx'
import { ids } from './records.ts'
import * as settings from './settings.ts'
import * as tests from './test-operation.ts'

export default area({
  name: 'SSO',
  description: 'Single sign-on by an identity provider of the workspace: SAML 2.0 or OpenID Connect.',
  operations: [operations, domains, metadata, tests],
  endpoints,
  pages: { sso_sign_in, sso_test_page },
  settings,
  ids,
  tables: ['sso_configurations', 'sso_domains', 'sso_requests', 'sso_identities', 'sso_sessions'],
  expiring: [{ table: 'sso_requests', key: ['id'], from: 'expires_at', afterMs: 0 }],
  sealed: [{ table: 'sso_configurations', column: 'oidc_client_secret' }],
  example: () => import('./example.ts'),
})
