import { area } from '../../../runtime/table/area.ts'
import * as domains from './domain-operations.ts'
import * as links from './link-operations.ts'
import { unlink_owner } from './link-identity.ts'
import { sso_link_page } from './link-page.tsx'
import * as endpoints from './endpoints.ts'
import { secretOf } from './logins.ts'
import * as logout from './logout.ts'
import { leave_identity_provider, sso_leave } from './leave.tsx'
import * as metadata from './metadata.ts'
import * as operations from './operations.ts'
import { sso_sign_in, sso_test_page } from './pages.tsx'
import { ids } from './records.ts'
import * as samlLogout from './saml-logout-endpoints.ts'
import * as settings from './settings.ts'
import { unlink_claimed } from './subscribers.ts'
import * as tests from './test-operation.ts'

export default area({
  name: 'SSO',
  description: 'Single sign-on with the identity provider of a workspace: SAML 2.0 or OpenID Connect.',
  manual: '/documentation/single-sign-on',
  operations: [operations, domains, links, metadata, tests],
  asked: {
    sso_get: 'is single sign-on on, how do people sign in, saml settings, identity provider',
    sso_update:
      'set up sso, set up saml, connect okta, connect entra, azure ad, google workspace login, openid connect, oidc, enforce sso, require sso',
    sso_activate: 'turn on sso, enable single sign-on, switch on saml',
    sso_deactivate: 'turn off sso, disable single sign-on, switch off saml',
    sso_domains_create: 'claim our e-mail domain, add a company domain, prove that a domain is ours',
    sso_domains_list: 'which e-mail domains, claimed domains, txt record for the domain',
    sso_domains_verify: 'check the dns record, verify our domain, txt record is set',
    sso_domains_delete: 'remove an e-mail domain, give up a domain',
  },
  endpoints: [endpoints, logout, samlLogout],
  pages: { sso_sign_in, sso_leave, sso_test_page, sso_link_page },
  subscribers: { leave_identity_provider, unlink_claimed, unlink_owner },
  settings,
  views: () => import('./views.tsx'),
  ids,
  tables: ['sso_configurations', 'sso_domains', 'sso_requests', 'sso_identities', 'sso_sessions'],
  expiring: [{ table: 'sso_requests', key: ['id'], from: 'expires_at', afterMs: 0 }],
  sealed: ['oidc_client_secret', 'sp_key'].map(column => ({
    table: 'sso_configurations',
    column,
    key: ['workspace_id'],
    about: ([workspaceId = '']) => secretOf(workspaceId),
  })),
  example: () => import('./example.ts'),
})
