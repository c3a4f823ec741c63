/** Inputs of reports, and the permissions to see and change a report. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { makeWorld, request } from '../../support/world.ts'
import { openBrowser } from '../../people/sign-in/browser.ts'
import { type Mailing, startMailing } from './mailing.ts'

onAnyEngine('inputs of reports by mail', engine => {
  let mailing: Mailing & { close(): Promise<void> }
  before(async () => {
    mailing = await startMailing(engine)
  })
  after(() => mailing.close())
  const make = (input: object, token?: string) => mailing.call('POST', '', input, token)
  const addSite = async (domain: string) => {
    const { service, world } = mailing
    const path = `/workspaces/${world.ids.workspace}/sites`
    return (await request(service, 'POST', path, { token: world.token, body: { domain } })).body.data.id as string
  }

  test('every fault at once, and bounds on everything', async () => {
    const { world } = mailing
    const wrong = await make({
      name: '',
      site_ids: [],
      recipients: ['no address', 'a@b@c.de', 'a@b.c\r\nBcc: x@y.z'],
      hour: 24,
      frequency: 'hourly',
      panels: ['pages'],
      locale: 'xx',
      goal_ids: Array(6).fill('goal_1'),
    })
    assert.equal(wrong.status, 422)
    const pointers = wrong.body.error.details.map(({ pointer }: { pointer: string }) => pointer)
    for (const pointer of [
      '/name',
      '/site_ids',
      '/recipients/0',
      '/recipients/1',
      '/recipients/2',
      '/hour',
      '/frequency',
      '/panels/0',
      '/locale',
      '/goal_ids',
    ])
      assert.ok(pointers.includes(pointer), pointer)
    const good = { name: 'A', site_ids: [world.ids.site], recipients: ['a@example.org'] }
    const many = Array.from({ length: 51 }, (_, i) => `p${i}@example.org`)
    assert.equal((await make({ ...good, recipients: many })).status, 422)
    assert.equal((await make({ ...good, recipients: [] })).status, 422)
    assert.equal((await make({ ...good, recipients: many.slice(1) })).status, 201)
    const id = await mailing.report()
    assert.equal((await mailing.call('PATCH', `/${id}`, { recipients: [] })).status, 422)
    assert.equal((await mailing.call('PATCH', `/${id}`, { site_ids: [] })).status, 422)
  })

  test('creating a report with sites, goals or segments of other workspaces or other sites fails with not_found', async () => {
    const { world, service } = mailing
    const other = await makeWorld(service)
    const second = await addSite(`second.${world.ids.domain}`)
    const answer = await make({
      name: 'A',
      site_ids: [world.ids.site, other.ids.site, 'pa_nothing'],
      goal_ids: [other.ids.goal, world.ids.goal],
      recipients: ['a@example.org'],
    })
    assert.equal(answer.status, 422)
    assert.deepEqual(
      answer.body.error.details.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
      [
        ['/site_ids/1', 'not_found'],
        ['/site_ids/2', 'not_found'],
        ['/goal_ids/0', 'not_found'],
      ],
    )
    const [first] = [world.ids.site]
    for (const [input, code] of [
      [{ site_ids: [second], segment_id: world.ids.segment }, 'not_found'],
      [{ site_ids: [first], segment_id: other.ids.segment }, 'not_found'],
      [{ site_ids: [first, second], segment_id: world.ids.segment }, 'mismatch'],
    ] as const) {
      const refused = await make({ name: 'A', recipients: ['a@example.org'], ...input })
      assert.deepEqual([refused.status, refused.body.error.details[0]?.code], [422, code])
    }
    // Goals go with the site that is taken out.
    const id = await mailing.report({ site_ids: [first, second], goal_ids: [world.ids.goal] })
    const { data } = (await mailing.call('PATCH', `/${id}`, { site_ids: [second] })).body
    assert.deepEqual([data.site_ids, data.goal_ids], [[second], []])
    const foreign = await request(service, 'GET', `/workspaces/${other.ids.workspace}/email_reports/${id}`, { token: other.token })
    const unknown = await request(service, 'GET', `/workspaces/${other.ids.workspace}/email_reports/rep_unknown`, { token: other.token })
    assert.deepEqual([foreign.status, foreign.text], [404, unknown.text])
  })

  test('a report as it was read can be sent back', async () => {
    const id = await mailing.report({ frequency: 'monthly', panels: ['page', 'os'], goal_ids: [mailing.world.ids.goal], skip_empty: true })
    const before = await mailing.get(id)
    const sent = await mailing.call('PATCH', `/${id}`, before)
    assert.equal(sent.status, 200, sent.text)
    assert.deepEqual({ ...sent.body.data, updated_at: '' }, { ...before, updated_at: '' })
  })

  test('a token restricted to sites sees only the reports about these sites', async () => {
    const { world } = mailing
    const second = await addSite(`third.${world.ids.domain}`)
    const [own, both] = [await mailing.report(), await mailing.report({ site_ids: [world.ids.site, second] })]
    const token = await world.tokenFor('editor', { siteIds: [world.ids.site ?? ''] })
    const listed = (await mailing.call('GET', '?per_page=100', undefined, token)).body.data.map(({ id }: { id: string }) => id)
    assert.deepEqual([listed.includes(own), listed.includes(both)], [true, false])
    for (const [method, path, body] of [
      ['GET', `/${both}`],
      ['GET', `/${both}/preview`],
      ['POST', `/${both}/test`, {}],
      ['PATCH', `/${both}`, { name: 'Mine' }],
      ['DELETE', `/${both}`],
    ] as const)
      assert.equal((await mailing.call(method, path, body, token)).status, 403, method)
    assert.equal((await mailing.call('GET', `/${own}`, undefined, token)).status, 200)
    const beyond = await make({ name: 'A', site_ids: [second], recipients: ['a@example.org'] }, token)
    assert.equal(beyond.body.error.details[0].pointer, '/site_ids/0')
    assert.equal((await mailing.call('PATCH', `/${own}`, { site_ids: [second] }, token)).status, 422)
  })

  test('viewers read, and neither change nor test', async () => {
    const token = await mailing.world.tokenFor('viewer')
    const id = await mailing.report()
    assert.equal((await mailing.call('GET', `/${id}`, undefined, token)).status, 200)
    assert.equal((await mailing.call('GET', `/${id}/preview`, undefined, token)).status, 200)
    for (const [method, path] of [
      ['POST', `/${id}/test`],
      ['DELETE', `/${id}`],
    ] as const)
      assert.equal((await mailing.call(method, path, undefined, token)).status, 403)
  })

  test('the page has the preview in a frame, and its form names goals and segments', async () => {
    const { service, world } = mailing
    const id = await mailing.report({ name: 'On the page' })
    const browser = openBrowser(service, { origin: 'https://stats.example.org' })
    browser.cookies.set('__Host-session', await world.sessionFor('owner'))
    const path = `/workspaces/${world.ids.workspace}/email_reports/${id}`
    const page = await browser.open(path)
    assert.equal(page.status, 200)
    assert.ok(page.text.includes(`src="${path}/preview"`))
    assert.match(page.headers.get('content-security-policy') ?? '', /frame-src 'self'/)
    const preview = await browser.open(`${path}/preview`)
    assert.deepEqual([preview.status, preview.headers.get('x-frame-options')], [200, 'SAMEORIGIN'])
    assert.match(preview.headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'self'; sandbox/)
    assert.match(preview.text, /On the page/)
    const form = await browser.open(`${path}?do=email_reports_update`)
    for (const name of ['goal', 'segment'] as const) assert.ok(form.text.includes(`value="${world.ids[name]}"`), name)
    const stranger = openBrowser(service, { origin: 'https://stats.example.org' })
    const refused = await stranger.open(`${path}/preview`)
    assert.ok(refused.status === 401 || refused.status === 303, `${refused.status}`)
    assert.ok(!refused.text.includes('On the page'))
  })
})
