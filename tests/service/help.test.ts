/** Links to help, feedback to the operator, and the description of this installation. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../support/engines.ts'
import { makeWorld, request, startService, type TestService, type World } from '../support/world.ts'

onAnyEngine('help', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine, {
      SMTP_URL: 'smtp://127.0.0.1:1',
      FEEDBACK_EMAIL: 'ops@example.com',
      WEBSITE_NAME: 'Acme figures',
      WEBSITE_PRIVACY_URL: 'https://acme.example.com/privacy',
    })
    world = await makeWorld(service)
  })
  after(() => service.close())

  test('says where the manual, the reference and those who run it are', async () => {
    const { status, body } = await request(service, 'GET', '/help', { token: world.token })
    assert.equal(status, 200)
    assert.equal(body.data.feedback_email, 'ops@example.com')
    for (const address of [body.data.documentation_url, `${body.data.search_url}?q=token`, body.data.openapi_url]) {
      const { pathname, search } = new URL(address)
      assert.equal((await request(service, 'GET', pathname + search, { token: world.token })).status, 200, address)
    }
    assert.equal((await request(service, 'GET', '/help')).status, 401)
  })

  test('feedback is stored and mailed to the operator', async () => {
    const said = { kind: 'problem', message: 'The chart is\nupside down.' }
    const { status, body } = await request(service, 'POST', '/feedback', { token: world.token, body: said })
    assert.equal(status, 201)
    assert.match(body.data.id, /^fbk_/)
    const row = await service.store.read.selectFrom('feedback').selectAll().where('id', '=', body.data.id).executeTakeFirstOrThrow()
    assert.deepEqual({ kind: row.kind, message: row.message }, said)
    const mails = await service.store.read.selectFrom('mails').select('recipient').execute()
    assert.deepEqual(mails, [{ recipient: 'ops@example.com' }])
    const wrong = await request(service, 'POST', '/feedback', { token: world.token, body: { kind: 'rant', message: 'x'.repeat(4_001) } })
    assert.deepEqual(
      [wrong.status, wrong.body.error.details.map(({ pointer }: { pointer: string }) => pointer).sort()],
      [422, ['/kind', '/message']],
    )
  })

  test('the website says what this installation is, to anyone', async () => {
    const { status, body } = await request(service, 'GET', '/website')
    assert.equal(status, 200)
    const { name, logo_url, privacy_url, sign_in, sign_in_url } = body.data
    assert.deepEqual([name, logo_url, privacy_url], ['Acme figures', null, 'https://acme.example.com/privacy'])
    assert.deepEqual(sign_in, ['password', 'passkey', 'single_sign_on', 'reset_by_mail'])
    const { pathname } = new URL(sign_in_url)
    assert.equal((await request(service, 'GET', pathname, { headers: { Accept: 'text/html' } })).status, 200)
  })
})
