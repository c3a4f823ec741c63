/** Single visits: newest first and each once, only what exports have, and only where the site and the link say so. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { request, startService, type TestService } from '../support/world.ts'
import { type Asking, newSite } from './events/asking.ts'

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const SECOND = 1_000
const HOUR = 3_600_000

onEachEngine('single visits', engine => {
  let service: TestService
  let site: Omit<Asking, 'service'>
  before(async () => {
    service = await startService(engine)
  })
  beforeEach(async () => {
    site = await newSite(service)
  })
  after(() => service.close())

  async function send(body: object, device = '', later = 2 * SECOND) {
    service.clock.now += later
    const given = { n: 'pageview', u: 'https://example.com/', d: site.world.ids.site, ...body }
    const reply = await request(service, 'POST', '/api/event', { body: given, headers: { 'User-Agent': chrome + device } })
    assert.ok(reply.status < 300, reply.text)
  }
  const ofSite = (end: string) => `/sites/${site.world.ids.site}${end}`
  const get = (path: string, token = site.world.token) => request(service, 'GET', ofSite(path), { token })
  const list = async (input: object = {}) => (await site.get('visits_list', { period: '7d', ...input })).data

  test('visits are listed newest first, each once, by cursor; a timeline has the hits in order, with properties that may be exported', async () => {
    for (let visitor = 0; visitor < 5; visitor++)
      await send({ u: `https://example.com/${visitor}`, r: 'https://news.example/' }, ` v${visitor}`, HOUR)
    await send({ n: 'Signup', u: 'https://example.com/4', p: { plan: 'pro', secret: 'x' } }, ' v4')
    await site.get('event_properties_update', { key: 'plan', export_safe: true })
    const seen: string[] = []
    let cursor: string | null | undefined
    do {
      const page: { rows: { entry_page: string }[]; next_cursor: string | null } = await list({ limit: 2, ...(cursor && { cursor }) })
      seen.push(...page.rows.map(({ entry_page }) => entry_page))
      cursor = page.next_cursor
    } while (cursor !== null)
    assert.deepEqual(seen, ['/4', '/3', '/2', '/1', '/0'])

    const { rows } = await list({ filters: [['event', 'is', 'Signup']] })
    assert.deepEqual(
      rows.map(({ entry_page, pageviews, events, browser, person_id }: Record<string, unknown>) => ({
        entry_page,
        pageviews,
        events,
        browser,
        person_id,
      })),
      [{ entry_page: '/4', pageviews: 1, events: 1, browser: 'Chrome', person_id: null }],
    )
    const { data } = await site.get('visits_get', { visit: rows[0].id })
    assert.deepEqual(
      data.steps.map(({ page, event, properties }: Record<string, unknown>) => ({ page, event, properties })),
      [
        { page: '/4', event: null, properties: {} },
        { page: '/4', event: 'Signup', properties: { plan: 'pro' } },
      ],
    )
    assert.equal(data.has_other_properties, true)
    assert.doesNotMatch(JSON.stringify(data), /secret|127\.0\.0\.1|::1/)
  })

  test('a long visit is read in pages', async () => {
    for (let i = 0; i < 12; i++) await send({ n: `Event ${i}` })
    const [{ id }] = (await list()).rows
    const { data } = await site.get('visits_get', { visit: id, limit: 5, page: 3 })
    assert.deepEqual([data.steps.map(({ event }: { event: string }) => event), data.steps_total], [['Event 10', 'Event 11'], 12])
  })

  test('an unknown visit, one of another site and a text that is no id answer the same; a wrong cursor is a fault', async () => {
    await send({})
    const [{ id }] = (await list()).rows
    const other = await newSite(service)
    const answers = []
    for (const each of ['vis_mif1c000-74', 'vis_', 'x', 'vis_zzzzzzzzz-zzzzzzzzzz', 'vis_0-0', `${id}0`]) {
      answers.push(await get(`/visits/${encodeURIComponent(each)}.json`))
    }
    answers.push(await request(service, 'GET', `/sites/${other.world.ids.site}/visits/${id}.json`, { token: other.world.token }))
    for (const { status, text } of answers) assert.deepEqual([status, text], [404, answers[0]?.text])
    for (const cursor of ['x', '-', '0-', "1'", 'zzzzzzzzzz-1', '01-1', 'mif1c000-7A']) {
      const { status, body } = await get(`/visits.json?cursor=${encodeURIComponent(cursor)}`)
      assert.deepEqual([status, body.error.details[0].pointer], [422, '/cursor'], cursor)
    }
    assert.equal((await get('/visits.json?cursor=0-0')).body.data.rows.length, 0)
  })

  test('a site that switches the list off answers no visit', async () => {
    await send({})
    const [{ id }] = (await list()).rows
    await site.get('sites_update', { visit_list: false })
    for (const path of ['/visits.json', `/visits/${id}.json`]) {
      const { status, body } = await get(path)
      assert.deepEqual([status, body.error.code], [422, 'invalid_state'])
    }
  })

  test('the page of a visit leads to the person whom the site identified in it', async () => {
    await site.get('sites_update', { identity: 'declared' })
    await send({ user: 'ann' })
    const [{ id, person_id }] = (await list()).rows
    const [token, headers] = [await site.world.sessionFor('owner'), { Accept: 'text/html' }]
    const { status, text } = await request(service, 'GET', ofSite(`/visits/${id}`), { token, headers })
    assert.equal(status, 200, text)
    const [, path = ''] = /<dt>The person<\/dt><dd><a href="([^"]*)"/.exec(text) ?? []
    assert.equal(path, ofSite(`/people/${person_id}`))
    assert.equal((await request(service, 'GET', path, { token, headers })).status, 200)
  })

  test('a shared link shows visits only if it says so and may export, and then without persons', async () => {
    await site.get('sites_update', { identity: 'declared' })
    await send({ user: 'ann' })
    assert.match((await list()).rows[0].person_id, /^pn_/)
    const create = (more: object) =>
      request(service, 'POST', ofSite('/shared_links'), { token: site.world.token, body: { name: 'Link', ...more } })
    const refused = await create({ reports: ['visits'] })
    assert.deepEqual([refused.status, refused.body.error.details[0].pointer], [422, '/reports/0'])
    const open = async (more: object) => {
      const link = await create(more)
      assert.equal(link.status, 201, link.text)
      const slug = link.body.data.url.split('/').at(-1)
      return (await request(service, 'POST', `/share/${slug}`, { body: {} })).body.data.token as string
    }
    assert.equal((await get('/visits.json', await open({ allow_export: true }))).status, 403)
    const token = await open({ reports: ['visits'], allow_export: true })
    const { body } = await get('/visits.json', token)
    assert.deepEqual([body.data.rows.length, body.data.rows[0].person_id, body.data.rows[0].revenue], [1, null, undefined])
    assert.equal((await get(`/visits/${body.data.rows[0].id}.json`, token)).body.data.steps.length, 1)
  })
})
