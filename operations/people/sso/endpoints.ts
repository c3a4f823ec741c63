/** Endpoints at which a sign-in begins, and to which identity providers send the browser back. */
import type { HandlerServices } from '../../../runtime/table/services.ts'
import { hashCredential } from '../../../runtime/call/credentials.ts'
import { type EndpointAnswer, type EndpointRequest, endpoint } from '../../../runtime/table/endpoint.ts'
import { isObject } from '../../../runtime/values/json.ts'
import { ownPath } from '../../../runtime/table/page.ts'
import { matches } from '../../../runtime/values/matches.ts'
import type { SsoRequestRow } from '../../../storage/tables/sso-logins.ts'
import { activeFor } from './find.ts'
import { clientSecret, configurationFor, destinationOf, finish, onward, refused } from './logins.ts'
import { isSentByOtherSite } from './other-site.ts'
import { Profile } from './profile.ts'
import { refuse } from './reasons.ts'
import { addressesOf, findConfiguration, verifiedDomains } from './records.ts'
import { browserSecret, isBrowserOf, keepRequest, keepVerified, newRequestId, oidcSecrets, secretFor, takeRequest } from './requests.ts'
import { decodedText, rootOf } from './saml-text.ts'

export const sso_start = endpoint({
  route: 'GET /sso/start',
  summary: 'Redirect to the identity provider of a workspace or e-mail address',
  access: 'public',
  async handle(request, app) {
    const { searchParams: query } = new URL(request.url)
    const { store, config, random } = app
    if (isSentByOtherSite(request)) return onward(`/sign-in/sso?${query}`)
    const now = app.now()
    try {
      const workspaceId = query.get('workspace')
      const row =
        workspaceId === null
          ? await activeFor(store.read, query.get('email') ?? '')
          : await findConfiguration(store.read, workspaceId.slice(0, 64))
      if (row?.status !== 'active') return refuse('inactive')
      const id = newRequestId(random)
      const { secret, cookie } = secretFor(request, config, random)
      const url = await destinationOf(store.read, { machine: app, row, id, secret })
      await store.transaction(db => keepRequest(db, { id, row, secret, isTest: false, next: ownPath(query.get('next')) ?? null, now }))
      return { ...onward(url), cookies: [cookie] }
    } catch (thrown) {
      return refused(app, { asked: request, request: undefined, thrown })
    }
  },
})

/** SAML: a form on the identity provider's page posts the answer, so the browser sends no cookies. */
export const sso_saml_acs = endpoint({
  route: 'POST /sso/saml/{id}/acs',
  summary: 'Assertion consumer service',
  access: 'public',
  maxBytes: 512 * 1024,
  handle: (request, app) =>
    stepOf(app, request, async known => {
      const encoded = new URLSearchParams(await request.text()).get('SAMLResponse') ?? ''
      if (encoded === '') refuse('malformed')
      const { inResponseTo } = rootOf(decodedText(encoded))
      if (inResponseTo === undefined) refuse('idp_initiated')
      const now = app.now()
      const asked = known(await app.store.transaction(db => takeRequest(db, { id: inResponseTo, kind: 'asked', now })))
      if (asked.workspace_id !== request.path.id) refuse('recipient')
      const row = await configurationFor(app.store.read, { request: asked, protocol: 'saml', now })
      const { samlProfile } = await import('./saml.ts')
      const profile = await samlProfile({ row, addresses: addressesOf(row.workspace_id, app.config), id: inResponseTo, encoded, now })
      const ticket = await app.store.transaction(db => keepVerified(db, { request: asked, profile, random: app.random }))
      return onward(`/sso/finish?ticket=${ticket}`)
    }),
})

/** A same-site request, so the browser sends its cookies. */
export const sso_finish = endpoint({
  route: 'GET /sso/finish',
  summary: 'Finish a SAML sign-in',
  access: 'public',
  handle: (request, app) =>
    stepOf(app, request, async known => {
      const ticket = new URL(request.url).searchParams.get('ticket') ?? ''
      const asked = known(
        await app.store.transaction(db => takeRequest(db, { id: hashCredential(ticket), kind: 'finish', now: app.now() })),
      )
      if (!isBrowserOf(asked, browserSecret(request, app.config))) refuse('other_browser')
      const profile: unknown = JSON.parse(asked.profile ?? '{}')
      return matches(Profile, profile) && isObject(profile)
        ? finish(app, { asked: request, request: asked, protocol: 'saml', profile: profile as Profile })
        : refuse('malformed')
    }),
})

export const sso_oidc_callback = endpoint({
  route: 'GET /sso/oidc/callback',
  summary: 'OpenID Connect callback (redirect URI)',
  access: 'public',
  handle: (request, app) =>
    stepOf(app, request, async known => {
      const url = new URL(request.url)
      const state = url.searchParams.get('state')
      if (state === null) return refuse('idp_initiated')
      const { store, config } = app
      const asked = known(await store.transaction(db => takeRequest(db, { id: state, kind: 'asked', now: app.now() })))
      const secret = browserSecret(request, config)
      if (secret === undefined || !isBrowserOf(asked, secret)) return refuse('other_browser')
      const row = await configurationFor(store.read, { request: asked, protocol: 'oidc', now: app.now() })
      const { discovered, oidcProfile } = await import('./oidc.ts')
      const found = await discovered(row, await clientSecret(store.read, app, row), config)
      const { oidc_redirect_uri } = addressesOf(row.workspace_id, config)
      const profile = await oidcProfile({
        found,
        redirectUri: oidc_redirect_uri,
        url,
        secrets: oidcSecrets(state, secret),
        domains: await verifiedDomains(store.read, row.workspace_id),
        now: app.now(),
      })
      return finish(app, { asked: request, request: asked, protocol: 'oidc', profile })
    }),
})

/** Runs a step. Reports a refusal to the person, with their workspace if it is known. */
async function stepOf(
  app: HandlerServices,
  request: EndpointRequest,
  step: (known: (found: SsoRequestRow | undefined) => SsoRequestRow) => Promise<EndpointAnswer>,
): Promise<EndpointAnswer> {
  let asked: SsoRequestRow | undefined
  try {
    return await step(found => (asked = found) ?? refuse('unknown_request'))
  } catch (thrown) {
    return refused(app, { asked: request, request: asked, thrown })
  }
}
