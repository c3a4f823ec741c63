/**
 * Single logout of OpenID Connect: the identity provider reports that a person has signed out, and the
 * sessions that it began here end (OpenID Connect Back-Channel Logout 1.0).
 */
import { type EndpointAnswer, endpoint } from '../../../runtime/table/endpoint.ts'
import { endSessionsOf } from './end-sessions.ts'
import { refuse, SsoRefusal } from './reasons.ts'
import { findConfiguration } from './records.ts'

const maxTokenLength = 16_384

export const sso_oidc_logout = endpoint({
  route: 'POST /sso/oidc/{id}/logout',
  summary: 'OpenID Connect back-channel logout',
  access: 'public',
  maxBytes: 2 * maxTokenLength,
  async handle(request, app) {
    try {
      const row = await findConfiguration(app.store.read, request.path.id ?? '')
      if (row?.status !== 'active' || row.protocol !== 'oidc') return refused('This workspace has no active OpenID Connect configuration.')
      const token = new URLSearchParams(await request.text()).get('logout_token') ?? ''
      if (token === '' || token.length > maxTokenLength) refuse('malformed')
      const { subjectOf } = await import('./logout-token.ts')
      const subject = await subjectOf(app, row, token)
      await app.store.transaction(db => endSessionsOf(db, { app, request, row, subject })) // the response is the same if there are none
      return { status: 200, headers: { 'Cache-Control': 'no-store' } }
    } catch (thrown) {
      if (thrown instanceof SsoRefusal) return refused('The logout token is not valid.')
      throw thrown
    }
  },
})

/** §2.8 */
const refused = (description: string): EndpointAnswer => ({
  status: 400,
  headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
  body: JSON.stringify({ error: 'invalid_request', error_description: description }),
})
