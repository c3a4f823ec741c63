/** E-mail addresses in every spelling: one mailbox is one account, and what only looks like another's is not. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { canonicalEmail, isEmail } from '../../runtime/values/email.ts'
import { runStep } from '../../storage/migrations/run-step.ts'
import { onAnyEngine } from '../support/engines.ts'
import { makeSite, request, startService, type TestService, type World } from '../support/world.ts'
import { openBrowser } from './sign-in/browser.ts'
import { password, personIn, signedIn } from './sign-in/people.ts'

test('valid and invalid e-mail addresses', () => {
  const good = ['ada@example.com', "o'hara+news@sub.example.co.uk", 'ada@münchen.example', 'ada@xn--mnchen-3ya.example', 'ödön@example.com']
  for (const text of [...good, 'a_b@c_d.example', 'owner@localhost.localdomain']) assert.ok(isEmail(text), text)
  const none = [
    ...['', 'ada', '@example.com', 'ada@', 'ada@example', 'ada@example.com.', 'ada@.com', 'ada@exa mple.com', 'a@b@example.com'],
    ...['ada@example.com,evil.example', 'ada@example.com;evil.example', 'ada@example.com>evil.example', '"ada"@example.com'],
    ...[
      'ada@example.com\r\nBcc: x',
      'ada\0@example.com',
      'ada@exam\0ple.com',
      'ad\u200ba@example.com',
      'ad\u202ea@example.com',
      'a\ud800@example.com',
    ],
    ...[
      'ada@-example.com',
      'ada@example.com/x',
      'ada@example.com:25',
      'ada@ex%61mple.com',
      'ada@ex\u00adample.com',
      'ada@[127.0.0.1]',
      `${'a'.repeat(65)}@example.com`,
      `ada@${'a.'.repeat(130)}com`,
    ],
  ]
  for (const text of none) assert.equal(isEmail(text), false, JSON.stringify(text))
})

test('the one form of an address', () => {
  for (const [written, kept] of [
    ['Ada@EXAMPLE.com', 'ada@example.com'],
    ['ada@München.example', 'ada@xn--mnchen-3ya.example'],
    ['ada@ＥＸＡＭＰＬＥ.com', 'ada@example.com'],
    ['o\u0308don@example.com', '\u00f6don@example.com'],
    ['\u212aim@example.com', 'kim@example.com'],
    ['ada+news@example.com', 'ada+news@example.com'],
    ['\u0430da@example.com', '\u0430da@example.com'], // begins with a Cyrillic letter: another person
  ] as const) {
    assert.equal(canonicalEmail(written), kept)
    assert.equal(canonicalEmail(kept), kept)
  }
})

onAnyEngine('addresses in every spelling', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeSite(service)
  })
  after(() => service.close())
  const call = (method: string, path: string, body?: object) =>
    request(service, method, `/workspaces/${world.ids.workspace}${path}`, { token: world.token, body })

  test('a person invited with an international domain signs in with the spelling of their browser', async () => {
    const { body } = await call('POST', '/invitations', { email: 'Grace@München.example', role: 'viewer' })
    assert.equal(body.data.email, 'grace@xn--mnchen-3ya.example')
    assert.equal((await openBrowser(service).submit(new URL(body.data.url).pathname, { password })).status, 303)
    for (const email of ['grace@münchen.example', 'grace@xn--mnchen-3ya.example', 'GRACE@MÜNCHEN.example']) {
      await signedIn(service, { email })
      assert.equal((await call('POST', '/invitations', { email, role: 'viewer' })).body.error.code, 'already_exists')
    }
  })

  test('an address that looks like another’s is not theirs', async () => {
    const ada = await personIn(service, world)
    const [, domain = ''] = ada.email.split('@')
    for (const email of [
      ada.email.replace(/[aeo]/, each => ({ a: '\u0430', e: '\u0435', o: '\u043e' })[each] ?? ''),
      ada.email.replace('@', '+x@'),
    ]) {
      assert.notEqual(email, ada.email)
      assert.equal((await openBrowser(service).call('POST', '/session.json', { email, password })).status, 401, email)
    }
    assert.equal((await openBrowser(service).call('POST', '/session.json', { email: `ad\u200ba@${domain}`, password })).status, 422)
  })

  test('accounts that were kept in another script are found after the update; of two for one mailbox both stay', async () => {
    const { write, dialect } = service.store
    const [one, two, three] = [await world.join('viewer'), await world.join('viewer'), await world.join('viewer')]
    const named = (accountId: string, email: string) => write.updateTable('accounts').set({ email }).where('id', '=', accountId).execute()
    await named(one.accountId, 'one@bücher.example')
    await named(two.accountId, 'two@bücher.example')
    await named(three.accountId, 'two@xn--bcher-kva.example')
    await runStep(write as never, dialect, '2026-11-24-5-email-domains') // as the migrator calls it
    const kept = await write.selectFrom('accounts').select('email').where('email', 'like', '%.example').orderBy('email').execute()
    assert.deepEqual(
      kept
        .map(({ email }) => email)
        .filter(email => /^(one|two)@/.test(email))
        .sort(),
      ['one@xn--bcher-kva.example', 'two@bücher.example', 'two@xn--bcher-kva.example'],
    )
  })
})
