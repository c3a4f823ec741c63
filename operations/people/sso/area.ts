import { area } from '../../../runtime/area.ts'
import * as domains from './domain-operations.ts'
import * as metadata from './metadata.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'
import * as settings from './settings.ts'

export default area({
  name: 'SSO',
  description: 'Single sign-on by an identity provider of the workspace: SAML 2.0 or OpenID Connect.',
  operations: [operations, domains, metadata],
  settings,
  ids,
  tables: ['sso_configurations', 'sso_domains'],
  sealed: [{ table: 'sso_configurations', column: 'oidc_client_secret' }],
  example: () => import('./example.ts'),
})
