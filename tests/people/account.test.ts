/** The caller's own account. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { permissionsOf } from '../../runtime/table/permissions.ts'
import { onAnyEngine } from '../support/engines.ts'
import { codeOf, faultsOf } from '../support/replies.ts'
import { makeSite, makeWorld, request, startService, type TestService } from '../support/world.ts'

onAnyEngine('Account', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())

  const call = (method: string, path: string, token: string, body?: object) => request(service, method, path, { token, body })
  const get = async (token: string) => (await call('GET', '/account.json', token)).body.data
  const change = (token: string, body: object) => call('PATCH', '/account.json', token, body)
  const unsubscribe = (id: string) =>
    service.store.write.updateTable('accounts').set({ marketing_emails: 0 }).where('id', '=', id).execute()

  test('shows the account of the member who owns the token', async () => {
    const world = await makeSite(service)
    const { created_at, email_verified_at, ...rest } = await get(world.token)
    assert.deepEqual([created_at, email_verified_at], Array(2).fill(new Date(service.clock.now).toISOString()))
    assert.deepEqual(rest, {
      email: world.owner.email,
      unconfirmed_email: null,
      name: 'The owner',
      theme: 'system',
      default_landing: 'sites',
      locale: 'en',
      timezone: null,
      shortcuts_enabled: true,
      reduce_motion: false,
      product_emails: true,
      newsletter: false,
      marketing_emails: true,
      two_factor: false,
      passkeys: 0,
    })
  })

  test('only a token with all permissions of its member changes it, whatever is changed', async () => {
    const world = await makeSite(service)
    const issue = async (permissions: readonly string[], token = world.token) => {
      const made = await call('POST', `/workspaces/${world.ids.workspace}/api_tokens`, token, { name: 'x', permissions })
      return made.body.data.token as string
    }
    const narrow = await issue(['analytics.read'])
    await change(world.token, { email: `new.${world.owner.email}` })
    const before = await get(narrow)
    for (const [method, path, body] of [
      ['PATCH', '/account.json', { name: 'Another person' }],
      ['PATCH', '/account.json', { email: `other.${world.owner.email}` }],
      ['POST', '/account/email/resend.json', {}],
      ['DELETE', '/account/email.json', undefined],
      ['POST', '/feedback.json', { kind: 'idea', message: 'No.' }],
    ] as const) {
      const refused = await call(method, path, narrow, body)
      assert.deepEqual(codeOf(refused), [403, 'permission_denied'], path)
      assert.match(
        refused.body.error.message,
        /needs all permissions of its member\. It does not have analytics\.export, .*workspace\.manage\.$/,
      )
    }
    assert.deepEqual(await get(narrow), before)
    assert.equal((await change(await issue(permissionsOf('owner')), { name: 'Ada' })).status, 200)
    const viewer = await world.join('viewer')
    assert.equal((await change(viewer.token, { name: 'Grace' })).status, 200)
  })

  test('a record that was read can be sent back and changes nothing', async () => {
    const world = await makeSite(service)
    await change(world.token, { email: `new.${world.owner.email}`, timezone: 'Asia/Tokyo', marketing_emails: false })
    const before = await get(world.token)
    const { status, body } = await change(world.token, before)
    assert.deepEqual([status, body.data], [200, before])
    assert.deepEqual((await change(world.token, {})).body.data, before)
  })

  test('changes what is given and leaves the rest', async () => {
    const world = await makeSite(service)
    const before = await get(world.token)
    const given = {
      name: 'Ada',
      theme: 'dark',
      default_landing: 'last_site',
      locale: 'zh-TW',
      shortcuts_enabled: false,
      reduce_motion: true,
      product_emails: false,
      newsletter: true,
      marketing_emails: false,
    }
    assert.deepEqual((await change(world.token, given)).body.data, { ...before, ...given })
    assert.deepEqual(await get(world.token), { ...before, ...given })
  })

  test('a time zone is kept in its usual case, and cleared by null and by an empty text', async () => {
    const world = await makeSite(service)
    const zone = async (timezone: string | null) => (await change(world.token, { timezone })).body.data.timezone
    assert.equal(await zone('europe/berlin'), 'Europe/Berlin')
    assert.equal(await zone(''), null)
    assert.equal(await zone('Asia/Calcutta'), 'Asia/Calcutta')
    assert.equal(await zone(null), null)
  })

  test('a name is cleared by null and by an empty text; the member is then shown by the e-mail address', async () => {
    const world = await makeSite(service)
    for (const name of ['', null]) assert.equal((await change(world.token, { name })).body.data.name, null)
    const note = await call('POST', `/sites/${world.ids.site}/notes`, world.token, { text: 'x' })
    assert.equal(note.body.data.author, world.owner.email)
  })

  test('a new e-mail address awaits its confirmation; a taken one is answered alike', async () => {
    const [world, other] = [await makeSite(service), await makeWorld(service)]
    const wanted = `New.${world.owner.email}`
    const free = (await change(world.token, { email: wanted })).body.data
    assert.deepEqual([free.email, free.unconfirmed_email], [world.owner.email, wanted.toLowerCase()])
    const taken = await change(world.token, { email: other.owner.email })
    assert.equal(taken.status, 200)
    assert.deepEqual(taken.body.data, { ...free, unconfirmed_email: other.owner.email })
    assert.equal((await get(other.token)).email, other.owner.email)
  })

  test('marketing e-mails are ended by anyone, and turned on again by no token', async () => {
    const world = await makeSite(service)
    await unsubscribe(world.owner.accountId)
    const refused = await change(world.token, { marketing_emails: true, theme: 'dark' })
    assert.deepEqual(codeOf(refused), [422, 'invalid_state'])
    assert.match(refused.body.error.message, /signed-in browser/)
    assert.equal((await get(world.token)).theme, 'system')
    assert.equal((await change(world.token, { marketing_emails: false })).status, 200)
  })

  test('all faults of an account are reported at once', async () => {
    const world = await makeSite(service)
    const reply = await change(world.token, {
      email: 'nobody',
      theme: 'pink',
      locale: 'xx',
      timezone: 'Mars/Olympus',
      newsletter: 'yes',
      password: 'x',
    })
    assert.deepEqual(codeOf(reply), [422, 'validation_failed'])
    assert.deepEqual(
      faultsOf(reply)
        .map(fault => fault.split(' ')[0])
        .sort(),
      ['/email', '/locale', '/newsletter', '/password', '/theme', '/timezone'],
    )
  })

  test('any token reads it; one restricted to sites changes nothing', async () => {
    const world = await makeSite(service)
    const token = await world.tokenFor('owner', { siteIds: [world.ids.site ?? ''] })
    assert.equal((await call('GET', '/account', token)).status, 200)
    assert.deepEqual(codeOf(await change(token, { theme: 'dark' })), [403, 'permission_denied'])
    assert.equal((await call('GET', '/account', await world.tokenFor('billing', { permissions: [] }))).status, 200)
    assert.equal((await change(await world.tokenFor('billing'), { theme: 'dark' })).status, 200)
  })
})
