/** A form whose session ended while the user typed: it is kept only for that user, and shown again after a sign-in. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { makeSite, startService, type TestService, type World } from '../../support/world.ts'
import { type Answer, openBrowser, type TestBrowser } from '../../people/sign-in/browser.ts'
import { password, type Person, personIn, signedIn } from '../../people/sign-in/people.ts'

onAnyEngine('A form that waits for a sign-in', engine => {
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

  const leadsTo = ({ status, headers, text }: Answer): string => {
    assert.equal(status, 303, text.slice(0, 1_000))
    return headers.get('location') ?? assert.fail('it leads nowhere')
  }
  const keyIn = ({ text }: Answer, action: string): string =>
    new RegExp(`action="${action}[^>]*><input type="hidden" name="_key" value="([^"]*)"`).exec(text)?.[1] ?? assert.fail(text)
  const endSessions = () => service.store.write.deleteFrom('sessions').where('account_id', '=', person.accountId).execute()
  const dashboards = () => `/workspaces/${world.ids.workspace}/dashboards`
  const kept = () => service.store.read.selectFrom('kept_forms').selectAll().where('account_id', '=', person.accountId).execute()

  /** Typed with a session that has ended meanwhile. @returns the address of the page to sign in on */
  async function interrupted(browser: TestBrowser, headers: Readonly<Record<string, string>> = {}): Promise<string> {
    const key = keyIn(await browser.open(`${dashboards()}?do=dashboards_create`), dashboards())
    await endSessions()
    const fields = new URLSearchParams({ '/name': 'Board of “Ada” <b>', _key: key })
    const { web } = service
    const answer = await web.request(dashboards(), {
      method: 'POST',
      body: String(fields),
      headers: {
        Cookie: `session=${browser.cookies.get('session')}`,
        Accept: 'text/html',
        'Content-Type': 'application/x-www-form-urlencoded',
        Origin: 'http://footfall.test',
        'Sec-Fetch-Site': 'same-origin',
        ...headers,
      },
    })
    return leadsTo({ status: answer.status, headers: answer.headers, text: await answer.text(), body: undefined })
  }
  const nextOf = (address: string): string => new URL(address, 'http://footfall.test').searchParams.get('next') ?? ''

  test('is shown filled in, with the reason for signing in, and makes nothing until it is sent again', async () => {
    const browser = await signedIn(service, person)
    const signIn = await interrupted(browser)
    assert.match(signIn, /^\/sign-in\?ended=1&next=/)
    assert.ok(!signIn.includes('Board'), 'the entry is not in the address')
    assert.ok(!JSON.stringify(await kept()).includes('Board'), 'it is sealed')
    const page = await browser.open(signIn)
    assert.match(page.text, /your session has expired[^<]*Your input is kept/)
    const back = leadsTo(await browser.submit('/session', { email: person.email, password, _next: nextOf(signIn) }))
    const form = await browser.open(back)
    assert.match(form.text, /<p class="notice" role="status">What you typed is here again/)
    assert.match(form.text, /name="\/name"[^>]*value="Board of “Ada” &lt;b&gt;"|value="Board of “Ada” &lt;b&gt;"[^>]*name="\/name"/)
    assert.equal((await browser.open(back)).text.includes('Board of “Ada”'), true, 'loaded again')
    assert.doesNotMatch((await browser.open(dashboards())).text, /Board of/)
    const made = await browser.submit(dashboards(), { '/name': 'Board', _key: keyIn(form, dashboards()) })
    assert.match((await browser.open(leadsTo(made))).text, /Dashboard created\./)
    const shownAgain = keyIn(await browser.open(back), dashboards()) // by the button Back
    assert.equal(leadsTo(await browser.submit(dashboards(), { '/name': 'Board', _key: shownAgain })), leadsTo(made), 'it is made once')
    service.clock.now += 3_600_001
    assert.doesNotMatch((await browser.open(back)).text, /Board of/)
  })

  test('is shown to no other account', async () => {
    const signIn = await interrupted(await signedIn(service, person))
    const other = await signedIn(service, await personIn(service, world))
    const form = await other.open(nextOf(signIn))
    assert.equal(form.status, 200)
    assert.doesNotMatch(form.text, /Board of|is here again/)
  })

  test('is kept from no page of others, and for no account that the form was not drawn for', async () => {
    const browser = await signedIn(service, person)
    const foreign = await interrupted(browser, { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' })
    assert.doesNotMatch(nextOf(foreign), /kept=/)
    const own = await signedIn(service, await personIn(service, world))
    const key = keyIn(await own.open(`${dashboards()}?do=dashboards_create`), dashboards())
    const random = key.replace(/^[^.]*/, 'a'.repeat(22))
    own.cookies.set('session', 'x'.repeat(43))
    for (const _key of [random, 'a'.repeat(22), '']) {
      assert.doesNotMatch(nextOf(leadsTo(await own.submit(dashboards(), { '/name': 'Board', _key }))), /kept=/)
    }
    const large = leadsTo(await own.submit(dashboards(), { '/name': 'x'.repeat(70_000), _key: key }))
    assert.doesNotMatch(nextOf(large), /kept=/)
    assert.deepEqual(await kept(), [])
  })

  test('goes on after a recent sign-in was asked for, without the password that was typed', async () => {
    const browser = await signedIn(service, person)
    const key = keyIn(await browser.open('/account'), '/account/password')
    service.clock.now += 11 * 60_000
    const own = service.store.write.deleteFrom('passwords').where('account_id', '=', person.accountId)
    const [hashed] = await own.returningAll().execute() // a person with only a passkey
    const answer = await browser.submit('/account/password?_method=PATCH', { password: 'a new secret phrase', _key: key })
    if (hashed) await service.store.write.insertInto('passwords').values(hashed).execute()
    const signIn = leadsTo(answer)
    assert.match(signIn, /^\/sign-in\?again=1&next=%2Faccount%3Fkept/)
    assert.match((await browser.open(signIn)).text, /Please sign in again[^<]*Your input is kept/)
    const [row] = await kept()
    assert.ok(row)
    const back = leadsTo(await browser.submit('/session', { email: person.email, password, _next: nextOf(signIn) }))
    const { status, text } = await browser.open(back)
    assert.equal(status, 200)
    assert.doesNotMatch(text, /a new secret phrase/)
    assert.match(text, /What you typed is here again/)
    const drawn = keyIn(await browser.open('/account'), '/account\\?_method=DELETE')
    service.clock.now += 11 * 60_000
    const change = await browser.submit('/account?_method=DELETE', { confirm: 'other@example.com', _key: drawn })
    const again = leadsTo(await browser.submit('/session', { email: person.email, password, _next: nextOf(leadsTo(change)) }))
    assert.match((await browser.open(again)).text, /value="other@example\.com"/)
  })

  test('a visitor who was never signed in sees no message about an ended session', async () => {
    assert.match(leadsTo(await openBrowser(service).open(dashboards())), /^\/sign-in\?next=/)
  })
})
