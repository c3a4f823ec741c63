/** Settings are edited where they are read, one section after another. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { makeWorld, ownPage, type Reply, request, startService, type TestService, type World } from '../../support/world.ts'

/** The form that has a control of this name, as a browser would send it without a change. */
function formWith(html: string, name: string): { action: string; fields: URLSearchParams } {
  const form = [...html.matchAll(/<form[^>]*action="([^"]*)"[^>]*>([^]*?)<\/form>/g)].find(([, , inner = '']) =>
    inner.includes(`name="${name}"`),
  )
  const [, action = '', inner = ''] = form ?? assert.fail(`no form has ${name}`)
  const fields = new URLSearchParams()
  for (const [input] of inner.matchAll(/<input[^>]*>/g)) {
    const of = (attribute: string) => new RegExp(` ${attribute}="([^"]*)"`).exec(input)?.[1]
    const isSent = of('type') !== 'checkbox' || / checked/.test(input)
    const field = of('name')
    if (field !== undefined && isSent) fields.append(field, of('value') ?? '')
  }
  for (const [, field = '', options = ''] of inner.matchAll(/<select[^>]*name="([^"]*)"[^>]*>([^]*?)<\/select>/g)) {
    const [, attributes = '', text = ''] = /<option([^>]*selected[^>]*)>([^<]*)/.exec(options) ?? []
    fields.append(field, / value="([^"]*)"/.exec(attributes)?.[1] ?? text)
  }
  return { action, fields }
}

onAnyEngine('Settings of pages', engine => {
  let service: TestService
  let world: World
  let session: string
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
    session = world.shown.session ?? assert.fail('the example world has no session')
  })
  after(() => service.close())
  const open = (path: string): Promise<Reply> => request(service, 'GET', path, { token: session, headers: { Accept: 'text/html' } })
  const send = (action: string, fields: URLSearchParams) =>
    request(service, 'POST', action, {
      token: session,
      body: String(fields),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html', ...ownPage },
    })
  const record = async (path: string) => (await request(service, 'GET', path, { token: world.token })).body.data

  test('a section of a site saves its own fields and opens the page at its confirmation', async () => {
    const path = `/sites/${world.ids.site}`
    const before = await record(path)
    const page = await open(path)
    const { action, fields } = formWith(page.text, '/currency')
    assert.equal(fields.has('/public'), false, 'the fields of another section are not sent')
    fields.set('/currency', 'CHF')
    const sent = await send(action, fields)
    assert.equal(sent.status, 303, sent.text)
    assert.match(sent.headers.get('location') ?? '', new RegExp(`^${path}\\?.*#saved-sites_update-0$`))
    assert.match(page.text, /<span class="saved" id="saved-sites_update-0"/)
    assert.deepEqual(await record(path), { ...before, currency: 'CHF' })
  })

  test('a wrong value keeps the page and the typed text, and says so at the field', async () => {
    const { action, fields } = formWith((await open(`/sites/${world.ids.site}`)).text, '/domain')
    fields.set('/domain', 'not a domain')
    const { status, text } = await send(action, fields)
    assert.equal(status, 422)
    assert.match(text, /value="not a domain"/)
    assert.match(text, /id="f-domain"[^>]*aria-invalid="true"|aria-invalid="true"[^>]*id="f-domain"/)
    assert.doesNotMatch(text, /class="card doing/, 'no second form opens')
  })

  test('a value that another person saved meanwhile is not overwritten: both are shown to choose from', async () => {
    const path = `/sites/${world.ids.site}`
    const { action, fields } = formWith((await open(path)).text, '/name')
    await request(service, 'PATCH', path, { token: world.token, body: { name: 'Of the other' } })
    fields.set('/name', 'Mine')
    const { status, text } = await send(action, fields)
    assert.equal(status, 409)
    assert.match(text, /conflicts[^]*Of the other[^]*Mine/)
    assert.equal((await record(path)).name, 'Of the other')
  })

  test('the settings of a workspace are on its page, also after a section of them was saved', async () => {
    const path = `/workspaces/${world.ids.workspace}`
    const page = await open(path)
    const { action, fields } = formWith(page.text, '/default_currency')
    assert.match(action, new RegExp(`^${path}/settings\\?_method=PATCH$`))
    fields.set('/default_currency', 'JPY')
    const sent = await send(action, fields)
    assert.match(sent.headers.get('location') ?? '', new RegExp(`^${path}\\?.*#saved-workspace_settings_update-0$`))
    assert.equal((await record(`${path}/settings`)).default_currency, 'JPY')
    assert.doesNotMatch(page.text, new RegExp(`href="${path}/settings"`), 'no tab leads to the same again')
    assert.match(page.text, /danger-zone[^]*do=workspaces_delete/, 'what cannot be undone is at the end')
  })

  test('members and invitations are one list', async () => {
    const { text } = await open(`/workspaces/${world.ids.workspace}/members`)
    assert.match(text, /class="rows people"/)
    assert.match(text, /Invited|expired/, 'invitations are in the list of members')
  })
})
