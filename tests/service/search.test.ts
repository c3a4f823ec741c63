/** Everything that a caller may list, by its name; and the manual. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { table } from '../../operations/index.ts'
import { hit, store as keep } from '../storage/engine/traffic.ts'
import { onEachEngine } from '../support/engines.ts'
import { callHttp, makeWorld, request, startService, type TestService, type World } from '../support/world.ts'

onEachEngine('search', engine => {
  let service: TestService
  let world: World
  let other: World
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
    other = await makeWorld(service)
    const site = { number: world.siteNumber, timezone: 'Europe/Berlin' }
    const at = service.clock.now - 3_600_000
    await keep(service.store, [
      hit(site, { who: 'anna', at, page: '/pricing', visit: { source: 'Pricing Weekly' } }),
      hit(site, { who: 'anna', at: at + 1_000, page: '/pricing', event: 'Repriced', props: { price_level: 'high' } }),
    ])
    for (const name of ['Pricing', 'See pricing page', 'Repricing'])
      await request(service, 'POST', `/sites/${world.ids.site}/goals`, {
        token: world.token,
        body: { name, kind: 'page', path: '/pricing' },
      })
  })
  after(() => service.close())

  async function find(input: Record<string, unknown>, token = world.token) {
    const operation = table.operations.get('search_query') ?? assert.fail()
    return callHttp(service, operation, { workspace_id: world.ids.workspace, ...input }, token)
  }
  const rows = async (input: Record<string, unknown>, token?: string): Promise<Record<string, string>[]> => {
    const { status, body } = await find(input, token)
    assert.equal(status, 200, JSON.stringify(body))
    return body.data.rows
  }

  test('finds records of every kind: exact names first, then beginnings, words and parts', async () => {
    const goals = await rows({ q: 'PRICING', kinds: ['goal'] })
    assert.deepEqual(
      goals.map(({ name, match }) => [name, match]),
      [
        ['Pricing', 'exact'],
        ['See pricing page', 'word'],
        ['Repricing', 'part'],
      ],
    )
    const [site] = await rows({ q: world.ids.domain ?? '', kinds: ['site'] })
    assert.deepEqual([site?.kind, site?.id, site?.match], ['site', world.ids.site, 'exact'])
    const [byId] = await rows({ q: world.ids.funnel ?? '' })
    assert.deepEqual([byId?.kind, byId?.id, byId?.match], ['funnel', world.ids.funnel, 'exact'])
    for (const { url = '' } of [...goals, ...(site ? [site] : [])]) {
      const { status } = await request(service, 'GET', new URL(url).pathname, { token: world.token })
      assert.equal(status, 200, url)
    }
    const kinds = new Set((await rows({ q: 'e', limit: 50 })).map(({ kind }) => kind))
    for (const kind of ['operation', 'documentation']) assert.ok(kinds.has(kind), [...kinds].join(' '))
  })

  test('finds in a site what its visitors saw and did, and nothing of elsewhere', async () => {
    const found = await rows({ q: 'pric', site_id: world.ids.site, limit: 50 })
    const names = found.map(({ kind, name }) => `${kind} ${name}`)
    for (const one of ['page /pricing', 'event Repriced', 'source Pricing Weekly', 'property price_level', 'goal Pricing'])
      assert.ok(names.includes(one), `${one}: ${names.join(', ')}`)
    assert.ok(found.every(({ site_id }) => site_id === world.ids.site))
    for (const { url = '', kind } of found) {
      const { pathname, search } = new URL(url)
      const { status } = await request(service, 'GET', `${pathname}${search}`, { token: world.token })
      assert.equal(status, 200, `${kind} ${url}`)
    }
    assert.deepEqual(
      (await rows({ q: 'pric', site_id: world.ids.site, kinds: ['page'] })).map(({ kind }) => kind),
      ['page'],
    )
  })

  test('search shows only records that the caller may list', async () => {
    for (const q of [other.ids.domain, other.ids.goal, other.ids.site]) {
      const found = await rows({ q, limit: 50 })
      assert.ok(!JSON.stringify(found).includes(String(other.ids.site)), q)
    }
    const foreign = await find({ q: 'x', site_id: other.ids.site })
    const unknown = await find({ q: 'x', site_id: 'pa_00000000000000000000000' })
    assert.deepEqual([foreign.status, foreign.text], [422, unknown.text])
    const reader = await world.tokenFor('viewer', { permissions: ['analytics.read'] })
    const kinds = new Set((await rows({ q: 'e', limit: 50 }, reader)).map(({ kind }) => kind))
    assert.ok(!kinds.has('webhook') && !kinds.has('audit_entry'))
    assert.ok(!(await rows({ q: 'sites_delete' }, reader)).some(({ id }) => id === 'sites_delete'))
  })

  test('the page of a search in a site names the site, and its next search stays in it', async () => {
    const open = (query: Readonly<Record<string, unknown>>) =>
      request(service, 'GET', `/workspaces/${world.ids.workspace}/search?${new URLSearchParams(query as Record<string, string>)}`, {
        token: world.shown.session ?? assert.fail('the example world has no session'),
        headers: { Accept: 'text/html' },
      })
    const searched = /In [^<]+ and what its visitors saw/
    const kept = `<input type="hidden" name="site_id" value="${world.ids.site}"/>`
    const { status, text } = await open({ q: 'pric', site_id: world.ids.site })
    const [form = ''] = /<form [^>]*class="find-form".*?<\/form>/s.exec(text) ?? []
    assert.deepEqual([status, searched.test(text), form.includes(kept)], [200, true, true])
    const everywhere = await open({ q: 'pric' })
    assert.deepEqual([everywhere.status, searched.test(everywhere.text)], [200, false])
    const foreign = await open({ q: 'x', site_id: other.ids.site })
    assert.deepEqual([foreign.status, searched.test(foreign.text)], [422, false])
  })

  test('says which kinds there are', async () => {
    const { status, body } = await find({ q: 'x', kinds: ['goals'] })
    assert.deepEqual([status, body.error.details[0].pointer], [422, '/kinds/0'])
    assert.match(body.error.details[0].message, /must be one of .*goal, .*page, event, source, property, operation, documentation/)
    for (const q of ['(', '\\', '[a-', '%', '_', '.*']) await rows({ q, site_id: world.ids.site })
  })
})

onEachEngine('the manual', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())
  const get = (path: string) => request(service, 'GET', path)

  test('is listed, read and searched by anyone', async () => {
    const { body } = await get('/documentation.json?per_page=100')
    const slugs = body.data.map(({ slug }: { slug: string }) => slug)
    for (const slug of ['analytics', 'api', 'configuration']) assert.ok(slugs.includes(slug), slug)
    assert.ok(body.data.every(({ title, summary }: { title: string; summary: string }) => title !== '' && summary !== ''))
    const page = await get('/documentation/analytics')
    assert.match(page.body.data.markdown, /^# /)
    assert.doesNotMatch(page.text, /<!--/)
    const { rows } = (await get('/documentation/search.json?q=bounce%20rate')).body.data
    assert.ok(rows.some(({ slug }: { slug: string }) => slug === 'analytics'))
    assert.match(rows[0].excerpt, /bounce/i)
    assert.deepEqual((await get('/documentation/search.json?q=xyzzyplugh')).body.data.rows, [])
  })

  test('search has no further page', async () => {
    for (const slug of ['nope', '..%2Fpackage', '%2Fetc%2Fpasswd', 'api.txt', '__proto__'])
      assert.equal((await get(`/documentation/${slug}`)).status, 404, slug)
  })

  test('/llms.txt says what there is to read', async () => {
    const { status, text, headers } = await get('/llms.txt')
    assert.equal(status, 200)
    assert.match(headers.get('content-type') ?? '', /^text\/markdown/)
    assert.match(text, /^# Footfall\n\n> /)
    const links = [...text.matchAll(/\]\((http[^)]+)\)/g)].map(([, url = '']) => new URL(url))
    assert.ok(links.length > 10)
    for (const { pathname, search } of links.filter(({ pathname }) => pathname.startsWith('/documentation/')))
      assert.equal((await get(pathname + search)).status, 200, pathname)
  })
})
