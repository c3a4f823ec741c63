/** The page of single sign-on: what is next in each state, and what there is to copy. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { reasons } from '../../../operations/people/sso/reasons.ts'
import { storedSentence } from '../../../runtime/texts/message.ts'
import type { SsoConfigurationRow } from '../../../storage/tables/sso.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { makeWorld, request, startService, type TestService, type World } from '../../support/world.ts'

onAnyEngine('The page of single sign-on', engine => {
  let service: TestService
  let world: World
  let at: string
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
    at = `/workspaces/${world.ids.workspace}/sso`
  })
  after(() => service.close())
  const open = (path: string) => request(service, 'GET', path, { token: world.shown.session, headers: { Accept: 'text/html' } })
  const configure = (change: Partial<SsoConfigurationRow>) =>
    service.store.write
      .updateTable('sso_configurations')
      .set(change)
      .where('workspace_id', '=', world.ids.workspace ?? '')
      .execute()
  const verify = (at: number | null) =>
    service.store.write
      .updateTable('sso_domains')
      .set({ verified_at: at })
      .where('id', '=', world.ids.sso_domain ?? '')
      .execute()
  /** The next step of the page, and the address of its button. */
  const next = async (): Promise<[text: string, href: string | undefined]> => {
    const [, step = ''] = /<b>Next: <\/b>([^]*?)<\/li>/.exec((await open(at)).text) ?? []
    const [, text = ''] = /<\/span>([^<]*)</.exec(step) ?? []
    return [text, / href="([^"]*)"/.exec(step)?.[1]]
  }

  test('leads from an empty draft to an active configuration, one step at a time', async () => {
    await configure({ status: 'draft', tested_at: null, idp_entity_id: null, idp_certs: '[]' })
    assert.deepEqual(await next(), ['Enter the identity provider. Still missing: IdP entity, IdP certificate.', '?do=sso_update'])
    await configure({ idp_entity_id: 'https://idp.example.com', protocol: 'oidc' })
    assert.deepEqual(await next(), ['Enter the identity provider. Still missing: OIDC issuer, OIDC client.', '?do=sso_update'])
    await configure({ oidc_issuer: 'https://idp.example.com', oidc_client_id: 'x' })
    assert.deepEqual(await next(), ['Verify an e-mail domain: without one, no member could sign in.', `${at}/domains`])
    await verify(service.clock.now)
    assert.deepEqual(await next(), ['Test it by a sign-in in this browser; the test starts no session.', `http://footfall.test${at}/test`])
    await configure({ test_error: 'The audience is <b>wrong</b>.' })
    assert.deepEqual(await next(), ['The last test failed. The audience is &lt;b&gt;wrong&lt;/b&gt;.', `http://footfall.test${at}/test`])
    await configure({ test_error: storedSentence(reasons.inactive()) })
    assert.equal((await next())[0], `The last test failed. ${String(reasons.inactive())}`)
    await configure({ status: 'tested', tested_at: service.clock.now, test_error: null })
    assert.equal((await next())[1], '?do=sso_activate')
    await configure({ status: 'active' })
    const active = await open(at)
    assert.doesNotMatch(active.text, /Next:/)
    assert.match(active.text, /Active: members sign in by it\.[^]*Make it the only way/)
    await configure({ enforced: 1 })
    assert.match((await open(at)).text, /It is the only way to sign in; owners excepted\./)
  })

  test('has what the identity provider and the name server want to know, each to be copied', async () => {
    await configure({ status: 'draft', enforced: 0, protocol: 'saml' })
    await verify(null)
    const { workspace } = world.ids
    const { proof, domain } = await service.store.read
      .selectFrom('sso_domains')
      .select(['proof', 'domain'])
      .where('id', '=', world.ids.sso_domain ?? '')
      .executeTakeFirstOrThrow()
    const record = [`_sso-verification.${domain}`, `footfall-sso-verification=${proof}`]
    const saml = [`/sso/saml/${workspace}/acs`, `/workspaces/${workspace}/sso/metadata`, `/sso/saml/${workspace}/logout`]
    const copied = async (path: string) =>
      [...(await open(path)).text.matchAll(/<pre[^>]*>([^<]*)<\/pre><button[^>]*data-copy/g)].map(([, text]) => text)
    const addressed = (paths: readonly string[]) => paths.map(path => `http://footfall.test${path}`)
    assert.deepEqual(await copied(at), [...addressed(saml), ...record, ...addressed(['/scim/v2'])])
    assert.deepEqual(await copied(`${at}/domains`), record)
    await configure({ protocol: 'oidc' })
    const oidc = ['/sso/oidc/callback', `/sso/oidc/${workspace}/logout`]
    assert.deepEqual(await copied(at), [...addressed(oidc), ...record, ...addressed(['/scim/v2'])])
  })

  test('a domain is looked for and given up on the page of domains', async () => {
    const { text } = await open(`${at}/domains`)
    assert.match(text, /\?do=sso_domains_verify[^]*\?do=sso_domains_delete/)
  })
})
