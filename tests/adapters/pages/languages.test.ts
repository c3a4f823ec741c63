/** Pages in the languages that there are. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { choices } from '../../../operations/people/account/records.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { makeWorld, ownPage, request, startService, type TestService, type World } from '../../support/world.ts'

onAnyEngine('Languages', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
  })
  after(() => service.close())
  const token = () => world.shown.session ?? ''
  const open = (path: string, headers: Record<string, string> = {}, who: string | undefined = token()) =>
    request(service, 'GET', path, { token: who, headers: { Accept: 'text/html', ...headers } })
  const send = (path: string, fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = ownPage) =>
    request(service, 'POST', path, {
      token: token(),
      body: String(new URLSearchParams(fields)),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html', ...headers },
    })
  const save = (fields: Readonly<Record<string, string>>) => send('/account?_method=PATCH', fields)

  test('the form of the account sets what pages look like', async () => {
    const goals = `/sites/${world.ids.site}/goals`
    assert.match((await open('/account')).text, /<option value="de"[^>]*>Deutsch<\/option>/)
    assert.match((await open(goals)).text, /<html lang="en">/)
    const saved = await save({ theme: 'dark', locale: 'de', timezone: 'Asia/Tokyo', shortcuts_enabled: 'false', reduce_motion: 'true' })
    assert.equal(saved.status, 303)
    const { text } = await open(goals)
    assert.match(text, /<html lang="de" data-theme="dark" data-still="">/)
    assert.match(text, /<h1>Ziele<\/h1>/)
    assert.match(text, />Übersicht<\/span><\/a>/)
    assert.doesNotMatch(text, /class="keys"/)
    const account = await open('/account')
    assert.match(account.text, /<html lang="de" data-theme="dark" data-still="">[^]*<h1>Dein Konto<\/h1>/)
    assert.match(account.text, /Zuletzt benutzt <time[^>]*>\d\d\.\d\d\.\d{4}, \d\d:\d\d<\/time>/)
    assert.equal((await save({ timezone: '', locale: 'en', theme: 'system' })).status, 303)
    assert.match((await open('/account')).text, /<option value="" selected="">Time zone of each site/)
  })

  test('numbers and dates are shown in each of the account’s locales', async () => {
    const shown = new Set<string>()
    for (const locale of choices.locale.enum) {
      await save({ locale })
      const { status, text } = await open(`/sites/${world.ids.site}/goals/${world.ids.goal}`)
      assert.equal(status, 200, locale)
      shown.add(/<time[^>]*>([^<]*)</.exec(text)?.[1] ?? '')
    }
    await save({ locale: 'en' })
    assert.ok(shown.size >= 12, [...shown].join(' | '))
  })

  test('errors are shown in the language of the browser to a visitor who is not signed in', async () => {
    const headers = { Accept: 'text/html', 'Accept-Language': 'fr-CH, de;q=0.5' }
    const { text } = await request(service, 'GET', '/nowhere', { headers })
    assert.match(text, /<html lang="fr">/)
    assert.match(text, /Il n’y a rien ici/)
  })

  test('a fault calls fields and values as their controls do', async () => {
    const goals = `/sites/${world.ids.site}/goals`
    assert.match((await send(goals, { '/name': 'Read' })).text, />“Kind”: choose one\.</)
    assert.match(
      (await open(`/sites/${world.ids.site}/overview?period=24`)).text,
      />“Period” must be one of today, yesterday, 24 hours, 7 days,/,
    )
    await save({ locale: 'de' })
    assert.match((await send(goals, { '/name': 'Read' })).text, />„Art“: Wähle eins aus\.</)
    await save({ locale: 'en' })
  })

  test('a form from another address is refused with the address of this service, without mentioning roles', async () => {
    const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site', 'Accept-Language': 'de' }
    const { status, text } = await send(`/sites/${world.ids.site}/goals`, { '/kind': 'page', '/path': '/x' }, foreign)
    assert.equal(status, 403)
    assert.match(text, /Anfragen von Seiten anderer Herkunft werden abgelehnt; dieser Dienst ist unter http/)
    assert.doesNotMatch(text, /Rolle/)
  })
})
