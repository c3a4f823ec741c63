/** Second factors and passkeys: set up, shown, used once, lost. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { softPasskey } from '../../../operations/people/passkeys/soft-passkey.ts'
import { totpOf } from '../../../operations/people/two-factor/totp-codes.ts'
import { hashCredential } from '../../../runtime/call/credentials.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { makeSite, startService, type TestService, type World } from '../../support/world.ts'
import { type Answer, openBrowser, type TestBrowser } from './browser.ts'
import { linkFor, password, type Person, personIn, signedIn } from './people.ts'

const origin = 'http://footfall.test'
const STEP = 30_000

onAnyEngine('second factors', engine => {
  let service: TestService
  let world: World
  let person: Person
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())
  beforeEach(async () => {
    world = await makeSite(service)
    person = await personIn(service, world)
  })

  async function withTotp(browser: TestBrowser) {
    const { secret } = (await browser.call('POST', '/account/two_factor.json', { current_password: password })).body.data
    const code = () => totpOf(secret).generate({ timestamp: service.clock.now })
    const { body } = await browser.call('PATCH', '/account/two_factor.json', { code: code() })
    service.clock.now += STEP
    return { code, codes: body.data.recovery_codes as string[] }
  }
  const signIn = (body: object, browser = openBrowser(service)) => browser.call('POST', '/session.json', body)

  test('an app is set up by its first code, and asked for from then on, each step once', async () => {
    const browser = await signedIn(service, person)
    const shownAfter = async (answer: Answer) => browser.open(answer.headers.get('location') ?? '')
    const { secret, uri } = (await browser.call('POST', '/account/two_factor.json', { current_password: password })).body.data
    const picture = /<svg[^>]*shape-rendering[^>]*>.*?<\/svg>/s
    const setup = (await browser.open('/account/two_factor')).text
    assert.match(setup, picture)
    assert.match(uri, /^otpauth:\/\/totp\/Footfall:.*issuer=Footfall/)
    assert.equal((await signIn({ email: person.email, password })).body.data.status, 'signed_in', 'nothing is asked for yet')
    const wrong = await browser.submit('/account/two_factor?_method=PATCH', { code: '000000' })
    assert.deepEqual([wrong.status, /id="code-fault"/.test(wrong.text)], [422, true])
    assert.deepEqual(
      [picture.exec(wrong.text)?.[0], wrong.text.includes(secret)],
      [picture.exec(setup)?.[0], true],
      'the same to be scanned',
    )
    const code = () => totpOf(secret).generate({ timestamp: service.clock.now })
    const enabled = await browser.submit('/account/two_factor?_method=PATCH', { code: code() })
    const shown = await shownAfter(enabled)
    assert.equal((await shownAfter(enabled)).headers.get('etag'), shown.headers.get('etag'), 'loaded again')
    const codes = /<pre tabindex="0">([^<]*)<\/pre>/.exec(shown.text)?.[1]?.split('\n') ?? []
    assert.deepEqual([codes.length, codes.filter(each => !/^[a-z2-9]{4}(-[a-z2-9]{4}){5}$/.test(each))], [10, []])
    const file = /download="footfall-recovery-codes.txt" href="data:text\/plain;charset=utf-8,([^"]*)"/.exec(shown.text)?.[1] ?? ''
    assert.deepEqual(decodeURIComponent(file).trim().split('\r\n').slice(2), codes)
    assert.equal((await browser.open('/account/two_factor')).headers.get('location'), '/account', 'the secret is shown no more')

    service.clock.now += STEP
    const fresh = openBrowser(service)
    const first = await fresh.submit('/session', { email: person.email, password, _next: '/account' })
    assert.deepEqual([first.headers.get('location'), fresh.cookies.has('session')], ['/sign-in/code?next=%2Faccount', false])
    const refused = await fresh.submit('/session', { code: '000000', _step: 'code', _next: '/account' })
    assert.deepEqual([refused.status, /Second factor/.test(refused.text)], [401, true])
    const used = code()
    const second = await fresh.submit('/session', { code: used, _step: 'code', _next: '/account' })
    assert.deepEqual([second.status, second.headers.get('location')], [303, '/account'])
    assert.equal((await fresh.open('/account')).status, 200)
    assert.equal((await signIn({ email: person.email, password, code: used })).status, 401, 'a step once')
    service.clock.now += STEP
    assert.equal((await signIn({ email: person.email, password, code: code() })).status, 201, 'both at once')
  })

  test('a code before the password opens nothing, nor does another person’s', async () => {
    const { code } = await withTotp(await signedIn(service, person))
    const other = await personIn(service, world)
    const theirs = await withTotp(await signedIn(service, other))
    assert.equal((await signIn({ code: code() })).status, 401)
    const browser = openBrowser(service)
    await signIn({ email: person.email, password }, browser)
    assert.equal((await signIn({ code: theirs.code() }, browser)).status, 401)
    service.clock.now += 10 * 60_000
    assert.equal((await signIn({ code: code() }, browser)).status, 401, 'ten minutes later')
  })

  test('a recovery code is good once; new ones replace all; turned off, none is asked for', async () => {
    const browser = await signedIn(service, person)
    const { codes } = await withTotp(browser)
    const [first = '', second = ''] = codes
    const use = (recovery_code: string) => signIn({ email: person.email, password, recovery_code })
    assert.deepEqual([(await use(first.toUpperCase().replaceAll('-', ' '))).status, (await use(first)).status], [201, 401])
    const { recovery_codes } = (await browser.call('POST', '/account/two_factor/codes.json', { current_password: password })).body.data
    assert.deepEqual([(await use(second)).status, (await use(recovery_codes[0])).status], [401, 201])
    await browser.call('DELETE', '/account/two_factor.json', { current_password: password })
    assert.equal((await signIn({ email: person.email, password })).body.data.status, 'signed_in')
    assert.deepEqual(
      await service.store.read.selectFrom('recovery_codes').selectAll().where('account_id', '=', person.accountId).execute(),
      [],
    )
  })

  test('the secret that was begun is shown again to a person who has just signed in, and only to them', async () => {
    const browser = await signedIn(service, person)
    const begun = await browser.submit('/account/two_factor', { current_password: password })
    assert.deepEqual([begun.status, begun.headers.get('location')?.split('?')[0]], [303, '/account/two_factor'])
    const picture = async () => /<svg[^>]*shape-rendering[^>]*>.*?<\/svg>/s.exec((await browser.open('/account/two_factor')).text)?.[0]
    const first = await picture()
    assert.ok(first)
    assert.equal(await picture(), first, 'loaded again')
    await browser.submit('/account/two_factor', { current_password: password })
    assert.notEqual(await picture(), first, 'begun again')
    service.clock.now += 10 * 60_000
    const late = await browser.open('/account/two_factor')
    assert.deepEqual([late.status, late.headers.get('location')], [303, '/sign-in?again=1&next=%2Faccount%2Ftwo_factor'])
    const other = await signedIn(service, await personIn(service, world))
    assert.equal((await other.open('/account/two_factor')).headers.get('location'), '/account')
  })

  test('recovery codes have 112 bits and more, and the number left is shown; shorter ones of before stay good', async () => {
    const browser = await signedIn(service, person)
    const state = async () => (await browser.call('GET', '/account/two_factor.json')).body.data
    assert.deepEqual(await state(), { enabled: false, recovery_codes_left: 0, recovery_codes_outdated: false })
    const { codes } = await withTotp(browser)
    for (const each of codes) assert.ok(each.replaceAll('-', '').length * Math.log2(31) >= 112, each)
    assert.deepEqual(await state(), { enabled: true, recovery_codes_left: 10, recovery_codes_outdated: false })
    assert.match((await browser.open('/account')).text, /Recovery codes left: 10 of 10\./)
    assert.equal((await signIn({ email: person.email, password, recovery_code: codes[0] })).status, 201)
    assert.equal((await state()).recovery_codes_left, 9)
    const hash = hashCredential(`${person.accountId} abcdefgh23456789`)
    const own = service.store.write.updateTable('recovery_codes').where('account_id', '=', person.accountId)
    await own
      .set({ hash, created_at: null })
      .where('hash', '=', hashOf(codes[1] ?? ''))
      .execute()
    assert.equal((await state()).recovery_codes_outdated, true)
    assert.match((await browser.open('/account')).text, /9 of 10\. These codes are from an older version/)
    assert.equal((await signIn({ email: person.email, password, recovery_code: 'abcd-efgh-2345-6789' })).status, 201)
    await browser.call('POST', '/account/two_factor/codes.json', { current_password: password })
    assert.deepEqual(await state(), { enabled: true, recovery_codes_left: 10, recovery_codes_outdated: false })
  })
  const hashOf = (code: string) => hashCredential(`${person.accountId} ${code.replaceAll('-', '')}`)

  test('codes are guessed ten times at most, wherever from', async () => {
    const limited = await startService(engine, { SIGN_IN_TRIES: 10, TRUSTED_PROXIES: '127.0.0.1' })
    const ada = await personIn(limited, await makeSite(limited))
    const own = await signedIn(limited, ada)
    const { secret } = (await own.call('POST', '/account/two_factor.json', { current_password: password })).body.data
    await own.call('PATCH', '/account/two_factor.json', { code: totpOf(secret).generate({ timestamp: limited.clock.now }) })
    const guess = async (i: number) => {
      const browser = openBrowser(limited, { ip: `203.0.113.${i}` })
      await browser.call('POST', '/session.json', { email: ada.email, password })
      return (await browser.call('POST', '/session.json', { code: '000000' })).status
    }
    const statuses = []
    for (let i = 0; i < 12; i++) statuses.push(await guess(i))
    assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 401), 429, 429])
    await limited.close()
  })

  async function addPasskey(browser: TestBrowser, device = softPasskey(origin)) {
    const { options } = (await browser.call('POST', '/account/passkeys/options.json', { current_password: password })).body.data
    const passkey = { id: device.id, rawId: device.id, type: 'public-key', response: device.create(options.challenge) }
    return { device, options, made: await browser.call('POST', '/account/passkeys.json', { name: 'Laptop', passkey }), passkey }
  }
  async function enter(device: ReturnType<typeof softPasskey>, change: (response: Record<string, string>) => object = same => same) {
    const browser = openBrowser(service)
    const { options } = (await browser.call('POST', '/session/options.json', {})).body.data
    const passkey = { id: device.id, rawId: device.id, type: 'public-key', response: change(device.get(options.challenge)) }
    return {
      ...(await browser.call('POST', '/session.json', { passkey })),
      again: () => openBrowser(service).call('POST', '/session.json', { passkey }),
      options,
    }
  }

  test('a passkey is made, signs in without a password or code, and is deleted', async () => {
    const browser = await signedIn(service, person)
    await withTotp(browser)
    const { device, options, made, passkey } = await addPasskey(browser)
    assert.deepEqual([made.status, made.body.data.name], [201, 'Laptop'])
    assert.deepEqual(
      [options.authenticatorSelection.userVerification, options.authenticatorSelection.residentKey, options.rp.id],
      ['required', 'required', 'footfall.test'],
    )
    assert.equal((await browser.call('POST', '/account/passkeys.json', { passkey })).status, 422, 'a challenge once')
    const entered = await enter(device)
    assert.deepEqual([entered.status, entered.body.data], [201, { status: 'signed_in' }])
    assert.equal((await entered.again()).status, 401, 'a signature once')
    assert.deepEqual(entered.options.allowCredentials ?? [], [], 'which passkeys there are is nobody’s business')
    const account = await browser.call('GET', '/account/passkeys.json')
    assert.deepEqual(
      account.body.data.map(({ name }: { name: string }) => name),
      ['Laptop'],
    )
    assert.equal((await browser.call('DELETE', `/account/passkeys/${made.body.data.id}.json`, { current_password: password })).status, 200)
    assert.equal((await enter(device)).status, 401)
  })

  test('a passkey of another origin, unverified, for another challenge, unsigned or of another account is refused', async () => {
    const browser = await signedIn(service, person)
    for (const wrong of [softPasskey('https://evil.example'), softPasskey(origin, { verified: false })]) {
      assert.equal((await addPasskey(browser, wrong)).made.status, 422)
    }
    const { device } = await addPasskey(browser)
    const other = await signedIn(service, await personIn(service, world))
    assert.equal((await addPasskey(other, device)).made.status, 422, 'is registered already')
    const foreign = Buffer.from('acc_somebody').toString('base64url')
    for (const change of [
      (response: Record<string, string>) => ({ ...response, signature: 'AAAA' }),
      (response: Record<string, string>) => ({ ...response, clientDataJSON: device.get('AAAA').clientDataJSON }),
      (response: Record<string, string>) => ({ ...response, userHandle: foreign }),
    ]) {
      assert.equal((await enter(device, change)).status, 401)
    }
    assert.equal((await enter(softPasskey(origin))).status, 401)
    const { options } = (await other.call('POST', '/account/passkeys/options.json', { current_password: password })).body.data
    const stolen = softPasskey(origin)
    const passkey = { id: stolen.id, rawId: stolen.id, type: 'public-key', response: stolen.create(options.challenge) }
    assert.equal((await browser.call('POST', '/account/passkeys.json', { passkey })).status, 422, 'a challenge is its person’s')
  })

  test('a passkey is the first credential, by a link of the machine, and then the only way in that stays', async () => {
    const ada = await world.join('admin')
    const link = await linkFor(service, ada.accountId)
    const browser = openBrowser(service)
    const { options } = (await browser.call('POST', `/links/${link}/options.json`, {})).body.data
    const device = softPasskey(origin)
    const passkey = { id: device.id, rawId: device.id, type: 'public-key', response: device.create(options.challenge) }
    assert.equal((await browser.call('POST', `/links/${link}.json`, { passkey })).status, 201)
    const list = (await browser.call('GET', '/account/passkeys.json')).body.data
    assert.equal((await enter(device)).status, 201)
    const kept = await browser.call('DELETE', `/account/passkeys/${list[0].id}.json`, { current_password: password })
    assert.deepEqual([kept.status, kept.body.error.code], [422, 'invalid_state'])
    const reset = await linkFor(service, ada.accountId, 'reset')
    assert.equal((await openBrowser(service).call('POST', `/links/${reset}.json`, { passkey })).status, 422, 'a mail sets a password alone')
    assert.equal((await openBrowser(service).call('POST', `/links/${reset}/options.json`, {})).status, 422)
  })
})
