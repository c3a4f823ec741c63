/** The configuration of single sign-on: its states, its secrets, its certificates, and the domains of a workspace. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ServiceProvider } from '../../../tools/samlify.mjs'
import { onAnyEngine } from '../../support/engines.ts'
import { codeOf, column, faultsOf } from '../../support/replies.ts'
import { makeWorld, request, startService, type TestService, type World } from '../../support/world.ts'
import { makeSigner, type Signer } from './certificate.ts'
import { type NameServer, startNameServer } from './name-server.ts'

onAnyEngine('Single sign-on configuration', engine => {
  let service: TestService
  let dns: NameServer
  let signers: Signer[]
  before(async () => {
    dns = await startNameServer()
    service = await startService(engine, { DNS_SERVERS: dns.address })
    signers = await Promise.all(['one', 'two', 'three'].map(name => makeSigner({ name })))
  })
  after(async () => {
    await service.close()
    await dns.close()
  })

  const path = (world: World, rest = '') => `/workspaces/${world.ids.workspace}/sso${rest}`
  const call = (world: World, method: string, rest = '', body?: object, token = world.token) =>
    request(service, method, path(world, rest), { token, body })
  const update = (world: World, body: object, token?: string) => call(world, 'PATCH', '', body, token)
  /** A world without the configuration that examples have. */
  async function fresh(): Promise<World> {
    const world = await makeWorld(service)
    for (const table of ['sso_configurations', 'sso_domains'] as const)
      await service.store.write
        .deleteFrom(table)
        .where('workspace_id', '=', world.ids.workspace ?? '')
        .execute()
    return world
  }
  const setStatus = (world: World, status: string) =>
    service.store.write
      .updateTable('sso_configurations')
      .set({ status, testing_until: status === 'testing' ? service.clock.now + 600_000 : null })
      .where('workspace_id', '=', world.ids.workspace ?? '')
      .execute()
  const saml = (certificate = signers[0]?.certificate) => ({
    protocol: 'saml',
    idp_sso_url: 'https://idp.example.net/sso',
    idp_entity_id: 'https://idp.example.net',
    idp_cert: certificate,
  })
  const oidc = { protocol: 'oidc', oidc_issuer: 'https://id.example.net', oidc_client_id: 'c1', oidc_client_secret: 'the-client-secret' }

  test('a workspace that never configured any has a draft of nulls, and the addresses its provider wants', async () => {
    const world = await fresh()
    const { status, body } = await call(world, 'GET')
    const base = 'http://footfall.test'
    const own = `${base}${path(world)}`
    assert.equal(status, 200)
    assert.deepEqual(body.data, {
      protocol: 'saml',
      status: 'draft',
      enforced: false,
      domains: [],
      idp_sso_url: null,
      idp_entity_id: null,
      idp_slo_url: null,
      sp_certificate: null,
      idp_cert_present: false,
      oidc_issuer: null,
      oidc_client_id: null,
      oidc_client_secret_present: false,
      default_role: 'viewer',
      jit_provisioning: true,
      scim_enabled: false,
      idp_certificates: [],
      tested_at: null,
      test_error: null,
      acs_url: `${base}/sso/saml/${world.ids.workspace}/acs`,
      slo_url: `${base}/sso/saml/${world.ids.workspace}/logout`,
      sp_entity_id: `${own}/metadata`,
      metadata_url: `${own}/metadata`,
      oidc_redirect_uri: `${base}/sso/oidc/callback`,
      oidc_logout_uri: `${base}/sso/oidc/${world.ids.workspace}/logout`,
      test_url: `${own}/test`,
      scim_url: `${base}/scim/v2`,
    })
    assert.deepEqual((await call(world, 'POST', '/deactivate')).body.data, body.data)
    assert.deepEqual(codeOf(await call(world, 'POST', '/activate')), [422, 'invalid_state'])
  })

  test('a record that was read can be sent back and changes nothing', async () => {
    const world = await fresh()
    await update(world, { ...saml(), domains: [`a.${world.ids.domain}`], default_role: 'editor' })
    await setStatus(world, 'tested')
    const { body } = await call(world, 'GET')
    assert.deepEqual((await update(world, body.data)).body.data, body.data)
    assert.equal((await call(world, 'GET', '/domains')).body.meta.total, 1)
  })

  test('secrets are sealed, and in no answer, no audit entry and no error', async () => {
    const world = await fresh()
    const answer = await update(world, oidc)
    assert.deepEqual([answer.status, answer.body.data.oidc_client_secret_present], [200, true])
    const wrong = await update(world, { oidc_client_secret: 'x'.repeat(2_000), idp_cert: 'the-client-secret' })
    const rows = await service.store.read
      .selectFrom('sso_configurations')
      .selectAll()
      .where('workspace_id', '=', world.ids.workspace ?? '')
      .execute()
    const entries = await service.store.read
      .selectFrom('audit_entries')
      .selectAll()
      .where('workspace_id', '=', world.ids.workspace ?? '')
      .execute()
    assert.equal(wrong.status, 422)
    assert.ok(entries.length > 0)
    for (const text of [answer.text, wrong.text, JSON.stringify(rows), JSON.stringify(entries)])
      assert.equal(text.includes('the-client-secret'), false)
    assert.equal((await update(world, { oidc_client_secret: null })).body.data.oidc_client_secret_present, false)
  })

  test('a certificate is read when it is given; two are kept while one takes over from the other', async () => {
    const world = await fresh()
    const [one, two, three] = signers.map(({ certificate }) => certificate)
    const subjects = (reply: { body: { data: { idp_certificates: { subject: string }[] } } }) =>
      reply.body.data.idp_certificates.map(({ subject }) => subject)
    const first = await update(world, saml(one))
    assert.deepEqual([first.body.data.idp_cert_present, subjects(first)], [true, ['CN=one']])
    assert.equal(first.body.data.idp_certificates[0].expires_at, '2027-01-01T00:00:00.000Z')
    assert.match(first.body.data.idp_certificates[0].fingerprint, /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)
    assert.equal(first.text.includes('BEGIN CERTIFICATE'), false)
    assert.deepEqual(subjects(await update(world, { idp_cert: one })), ['CN=one'])
    assert.deepEqual(subjects(await update(world, { idp_cert: two })), ['CN=two', 'CN=one'])
    assert.deepEqual(subjects(await update(world, { idp_cert: three })), ['CN=three', 'CN=two'])
    assert.deepEqual(subjects(await update(world, { idp_cert: `${one}\n${two}` })), ['CN=one', 'CN=two'])
    const bare = (three ?? '').replace(/-----[^-]+-----|\s/g, '')
    assert.deepEqual(subjects(await update(world, { idp_cert: bare })), ['CN=three', 'CN=one'])
    assert.deepEqual(subjects(await update(world, { idp_cert: null })), [])

    const expired = await makeSigner({ from: Date.parse('2024-01-01'), until: Date.parse('2025-01-01') })
    const weak = await makeSigner({ bits: 1_024 })
    for (const [cert, said] of [
      ['not a certificate at all!', /one or two X\.509 certificates/],
      ['AAAA', /not an X\.509 certificate/],
      [one?.replace(/[A-Z]{4}/, 'AAAA'), /not an X\.509 certificate|certificate/],
      [expired.certificate, /expired on 2025-01-01/],
      [weak.certificate, /2048 bits or more; received 1024/],
      [`${one}${two}${three}`, /received 3/],
    ] as const) {
      const reply = await update(world, { idp_cert: cert })
      assert.deepEqual([reply.status, faultsOf(reply)[0]], [422, '/idp_cert invalid_format'], reply.text)
      assert.match(reply.body.error.details[0].message, said)
    }
  })

  test('a certificate whose key leaked is withdrawn at once, also while the configuration is active', async () => {
    const world = await fresh()
    const [one, two, three] = signers.map(({ certificate }) => certificate)
    await update(world, saml(one))
    await update(world, { idp_cert: two })
    await setStatus(world, 'active')
    const after = async (change: object) => {
      const { status, body, text } = await update(world, change)
      assert.equal(status, 200, text)
      return [body.data.status, ...body.data.idp_certificates.map(({ subject }: { subject: string }) => subject)]
    }
    assert.deepEqual(await after({ idp_cert: one }), ['active', 'CN=one', 'CN=two'])
    assert.deepEqual(await after({ idp_cert: one, withdraw_former_cert: true }), ['active', 'CN=one'])
    assert.deepEqual(await after({ idp_cert: two }), ['active', 'CN=two', 'CN=one'])
    assert.deepEqual(await after({ withdraw_former_cert: true }), ['active', 'CN=two'])
    assert.deepEqual(await after({ withdraw_former_cert: true }), ['active', 'CN=two'], 'the only one stays')
    assert.deepEqual(await after({ idp_cert: `${one}\n${three}`, withdraw_former_cert: true }), ['active', 'CN=one', 'CN=three'])
    assert.deepEqual(codeOf(await update(world, { idp_cert: null, withdraw_former_cert: true })), [422, 'invalid_state'])
  })

  test('a changed connection is a draft again; other changes keep the state', async () => {
    const world = await fresh()
    await update(world, { ...saml(), ...oidc, protocol: 'saml' })
    for (const [change, status] of [
      [{ default_role: 'admin', jit_provisioning: false }, 'tested'],
      [{ idp_sso_url: 'https://idp.example.net/sso' }, 'tested'],
      [{ idp_sso_url: 'https://idp.example.net/other' }, 'draft'],
      [{ idp_entity_id: 'other' }, 'draft'],
      [{ idp_cert: signers[1]?.certificate }, 'draft'],
      [{ oidc_client_id: 'c2' }, 'draft'],
      [{ oidc_client_secret: 'another' }, 'draft'],
      [{ protocol: 'oidc' }, 'draft'],
    ] as const) {
      await setStatus(world, 'tested')
      const { body } = await update(world, change)
      assert.equal(body.data.status, status, JSON.stringify(change))
    }
  })

  test('a stored client secret is not sent to the server of another issuer', async () => {
    const world = await fresh()
    await update(world, oidc)
    const elsewhere = { oidc_issuer: 'https://elsewhere.example.net' }
    for (const change of [elsewhere, { ...elsewhere, oidc_client_id: 'c2' }]) {
      const refused = await update(world, change)
      assert.deepEqual([refused.status, faultsOf(refused)], [422, ['/oidc_client_secret required']], refused.text)
    }
    assert.equal((await update(world, { oidc_issuer: null })).status, 200)
    assert.deepEqual(faultsOf(await update(world, elsewhere)), ['/oidc_client_secret required'], 'nor by way of none')
    assert.equal((await update(world, { ...elsewhere, oidc_client_secret: 'of-the-other' })).status, 200)
    const without = await update(world, { oidc_issuer: oidc.oidc_issuer, oidc_client_secret: null })
    assert.deepEqual([without.status, without.body.data.oidc_client_secret_present], [200, false])
  })

  test('only what was tested is activated; while active, only certificate and secret change', async () => {
    const world = await fresh()
    await update(world, saml())
    for (const status of ['draft', 'testing', 'active']) {
      await setStatus(world, status)
      assert.deepEqual(codeOf(await call(world, 'POST', '/activate')), [422, 'invalid_state'], status)
    }
    await setStatus(world, 'tested')
    const { status, body } = await call(world, 'POST', '/activate')
    assert.deepEqual([status, body.data.status], [200, 'active'])
    for (const change of [
      { idp_sso_url: 'https://idp.example.net/other' },
      { idp_entity_id: null },
      { protocol: 'oidc' },
      { oidc_issuer: 'https://id.example.net' },
      { idp_cert: null },
    ]) {
      assert.deepEqual(codeOf(await update(world, change)), [422, 'invalid_state'], JSON.stringify(change))
    }
    const rolled = await update(world, { idp_cert: signers[1]?.certificate, default_role: 'admin' })
    assert.deepEqual(
      [rolled.body.data.status, rolled.body.data.idp_certificates.length, rolled.body.data.default_role],
      ['active', 2, 'admin'],
    )
    const off = await call(world, 'POST', '/deactivate')
    assert.deepEqual([off.body.data.status, off.body.data.tested_at], ['draft', null])
    assert.equal((await update(world, { idp_entity_id: 'other' })).status, 200)
  })

  test('a test that was begun and never ended is a draft after ten minutes', async () => {
    const world = await fresh()
    await update(world, saml())
    await setStatus(world, 'testing')
    assert.equal((await call(world, 'GET')).body.data.status, 'testing')
    service.clock.now += 600_000
    assert.equal((await call(world, 'GET')).body.data.status, 'draft')
  })

  test('enforced needs an active configuration, and an owner', async () => {
    const world = await fresh()
    const admin = await world.join('admin')
    await update(world, saml())
    assert.deepEqual(codeOf(await update(world, { enforced: true })), [422, 'invalid_state'])
    await setStatus(world, 'active')
    assert.deepEqual(codeOf(await update(world, { enforced: true }, admin.token)), [403, 'permission_denied'])
    assert.equal((await update(world, { enforced: false, default_role: 'editor' }, admin.token)).status, 200)
    assert.equal((await update(world, { enforced: true })).body.data.enforced, true)
    assert.equal((await update(world, { enforced: true, default_role: 'viewer' }, admin.token)).status, 200)
    assert.deepEqual(codeOf(await call(world, 'POST', '/deactivate', undefined, admin.token)), [403, 'permission_denied'])
    assert.deepEqual(codeOf(await update(world, { enforced: false }, admin.token)), [403, 'permission_denied'])
    const off = await call(world, 'POST', '/deactivate')
    assert.deepEqual([off.body.data.status, off.body.data.enforced], ['draft', false])
  })

  test('the addresses of the provider must be https and public', async () => {
    const world = await fresh()
    for (const url of [
      'http://idp.example.net/',
      'https://user:pass@idp.example.net/',
      'https://127.0.0.1/',
      'javascript:alert(1)',
      'nowhere',
      'https://[::1]/',
    ]) {
      assert.deepEqual(
        faultsOf(await update(world, { idp_sso_url: url, oidc_issuer: url })),
        ['/idp_sso_url invalid_format', '/oidc_issuer invalid_format'],
        url,
      )
    }
    assert.deepEqual((await update(world, { idp_sso_url: '', oidc_issuer: null })).body.data.idp_sso_url, null)
  })

  test('metadata describes this service to an identity provider, and is public', async () => {
    const world = await fresh()
    const { body } = await call(world, 'GET')
    const { status, headers, text } = await request(service, 'GET', path(world, '/metadata'))
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/samlmetadata+xml; charset=utf-8'])
    const provider = ServiceProvider({ metadata: text })
    assert.equal(provider.entityMeta.getEntityID(), body.data.sp_entity_id)
    assert.equal(provider.entityMeta.getAssertionConsumerService('post'), body.data.acs_url)
    assert.deepEqual([provider.entityMeta.isWantAssertionsSigned(), provider.entityMeta.isAuthnRequestSigned()], [true, false])
    assert.equal((await request(service, 'GET', '/workspaces/ws_none/sso/metadata')).status, 404)
  })

  test('a domain counts once its TXT record was seen', async () => {
    const world = await fresh()
    const domain = `people.${world.ids.domain}`
    const { status, body } = await call(world, 'POST', '/domains', { domain: `@People.${world.ids.domain}.` })
    assert.deepEqual(
      [status, body.data.domain, body.data.status, body.data.record_name],
      [201, domain, 'pending', `_sso-verification.${domain}`],
    )
    const verify = () => call(world, 'POST', `/domains/${body.data.id}/verify`)
    const none = await verify()
    assert.deepEqual([none.status, none.body.data.status], [200, 'pending'])
    assert.match(none.body.data.error, /^There is no TXT record at _sso-verification\.people\./)
    dns.records.set(body.data.record_name, ['footfall-sso-verification=wrong', 'v=spf1 -all'])
    assert.match((await verify()).body.data.error, /has another TXT record: "footfall-sso-verification=wrong", "v=spf1 -all"/)
    assert.deepEqual((await call(world, 'GET')).body.data.domains, [])
    dns.records.set(body.data.record_name, ['other', body.data.record_value])
    const seen = await verify()
    assert.deepEqual(
      [seen.body.data.status, seen.body.data.error, seen.body.data.verified_at],
      ['verified', null, new Date(service.clock.now).toISOString()],
    )
    assert.deepEqual((await call(world, 'GET')).body.data.domains, [domain])
    assert.ok(dns.asked.every(name => name.startsWith('_sso-verification.')))
    // Verified once, it is not asked for again.
    dns.records.clear()
    assert.equal((await verify()).body.data.status, 'verified')
    const gone = await call(world, 'DELETE', `/domains/${body.data.id}`)
    assert.deepEqual([gone.status, (await call(world, 'GET')).body.data.domains], [200, []])
  })

  test('public mail domains and domains of another workspace are refused', async () => {
    const [world, other] = [await fresh(), await fresh()]
    for (const domain of [
      'gmail.com',
      'GMAIL.com',
      'hotmail.co.uk',
      'co.uk',
      'com',
      'github.io',
      'localhost',
      'a b.com',
      '127.0.0.1',
      'x'.repeat(70) + '.com',
    ]) {
      const reply = await call(world, 'POST', '/domains', { domain })
      assert.deepEqual([reply.status, faultsOf(reply)], [422, ['/domain invalid_format']], domain)
    }
    const domain = `shared.${world.ids.domain}`
    const [mine, theirs] = [await call(world, 'POST', '/domains', { domain }), await call(other, 'POST', '/domains', { domain })]
    assert.deepEqual([mine.status, theirs.status], [201, 201], 'to claim one proves nothing')
    assert.deepEqual(codeOf(await call(world, 'POST', '/domains', { domain })), [422, 'already_exists'])
    dns.records.set(mine.body.data.record_name, [mine.body.data.record_value, theirs.body.data.record_value])
    const replies = await Promise.all([
      call(world, 'POST', `/domains/${mine.body.data.id}/verify`),
      call(other, 'POST', `/domains/${theirs.body.data.id}/verify`),
    ])
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 422])
    const loser = replies[0]?.status === 200 ? other : world
    assert.deepEqual(faultsOf(await update(loser, { domains: [domain, 'gmail.com'] })), [
      '/domains/0 invalid_format',
      '/domains/1 invalid_format',
    ])
    assert.equal((await call(world, 'POST', `/domains/${theirs.body.data.id}/verify`)).status, 404)
  })

  test('domains in the configuration are claimed; verified ones that are left out go, those that wait stay', async () => {
    const world = await fresh()
    const [a, b, c] = ['a', 'b', 'c'].map(name => `${name}.${world.ids.domain}`)
    const domains = async () => column(await call(world, 'GET', '/domains'), 'domain')
    assert.deepEqual((await update(world, { domains: [a, b] })).body.data.domains, [])
    await service.store.write
      .updateTable('sso_domains')
      .set({ verified_at: 1 })
      .where('domain', '=', a ?? '')
      .execute()
    assert.deepEqual((await update(world, { domains: [a, c] })).body.data.domains, [a])
    assert.deepEqual(await domains(), [a, b, c])
    assert.deepEqual((await update(world, { domains: [] })).body.data.domains, [])
    assert.deepEqual(await domains(), [b, c])
    assert.deepEqual((await update(world, { domains: Array.from({ length: 51 }, (_, i) => `${i}.${b}`) })).status, 422)
  })

  test('a SCIM token is generated in every state, shown once, and can be revoked', async () => {
    const world = await fresh()
    const make = () => call(world, 'POST', '/scim_token')
    const list = (token: string) => request(service, 'GET', '/scim/v2/Users', { token })
    const { status, body, headers } = await make()
    assert.equal(status, 200)
    assert.match(body.data.token, /^scim_[0-9A-Za-z]{36}$/)
    assert.deepEqual([body.data.token_prefix, body.data.scim_url], [body.data.token.slice(0, 10), 'http://footfall.test/scim/v2'])
    assert.equal(headers.get('cache-control'), 'no-store, no-transform')
    assert.deepEqual([(await list(body.data.token)).status, (await call(world, 'GET')).body.data.scim_enabled], [200, true])
    await update(world, saml())
    for (const state of ['draft', 'testing', 'tested', 'active']) {
      await setStatus(world, state)
      assert.equal((await make()).status, 200)
      assert.equal((await call(world, 'GET')).body.data.status, state)
    }
    assert.deepEqual(codeOf(await list(body.data.token)), [401, 'token_revoked'])
    const last = (await make()).body.data.token
    const entries = await service.store.read
      .selectFrom('audit_entries')
      .selectAll()
      .where('workspace_id', '=', world.ids.workspace ?? '')
      .execute()
    assert.equal(JSON.stringify(entries).includes(last), false)
    assert.equal((await call(world, 'DELETE', '/scim_token')).body.data.scim_enabled, false)
    assert.deepEqual(codeOf(await list(last)), [401, 'token_revoked'])
  })

  test('the default role of the configuration is what SCIM gives', async () => {
    const world = await fresh()
    await update(world, { default_role: 'editor' })
    const { token } = (await call(world, 'POST', '/scim_token')).body.data
    const { body } = await request(service, 'POST', '/scim/v2/Users', { token, body: { userName: `ada@${world.ids.domain}` } })
    const member = await request(service, 'GET', `/workspaces/${world.ids.workspace}/members/${body.id}`, { token: world.token })
    assert.equal(member.body.data.role, 'editor')
    assert.deepEqual(faultsOf(await update(world, { default_role: 'owner' })), ['/default_role not_in_enum'])
  })
})
