/** Campaigns: what they cost and bring; links that lead to a page with its tags, and nowhere else. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { runStep } from '../../storage/migrations/run-step.ts'
import { onAnyEngine } from '../support/engines.ts'
import { codeOf, faultsOf } from '../support/replies.ts'
import { makeWorld, removeSite, request, startService, type TestService, type World } from '../support/world.ts'

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

onAnyEngine('campaigns', engine => {
  let service: TestService
  let world: World
  let site: string
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())
  beforeEach(async () => {
    world = await makeWorld(service)
    site = `/sites/${world.ids.site}`
  })

  const call = (method: string, path: string, body?: object) => request(service, method, path, { token: world.token, body })
  const send = (ip: string, body: object) =>
    request(service, 'POST', '/api/event', {
      token: world.token,
      body: { n: 'pageview', u: `https://${world.ids.domain}/`, d: world.ids.site, ip, ...body },
      headers: { 'User-Agent': chrome },
    })
  const open = (slug: string, userAgent = chrome, more = {}) =>
    request(service, 'GET', `/l/${slug}`, { headers: { 'User-Agent': userAgent, ...more } })

  test('a report says what each brought, against its share of the cost; unregistered values as well', async () => {
    const goal = (await call('POST', `${site}/goals`, { kind: 'event', event: 'Buy', name: 'Bought' })).body.data.id
    await call('PATCH', `${site}/campaigns/${world.ids.campaign}`, { goal_id: goal })
    await call('POST', `${site}/campaigns`, { name: 'Later', utm_campaign: 'later' })
    const page = (campaign: string) => ({ u: `https://${world.ids.domain}/?utm_campaign=${campaign}` })
    for (const ip of ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4']) await send(ip, page('spring-26'))
    await send('203.0.113.1', { n: 'Buy', $: { currency: 'EUR', amount: 150 } })
    await send('203.0.113.2', { n: 'Buy', $: { currency: 'EUR', amount: 50 } })
    await send('203.0.113.5', page('wild'))
    await send('203.0.113.6', {})
    const { data } = (await call('GET', `${site}/campaigns/report?period=custom&from=2026-03-01&to=2026-03-10`)).body
    assert.deepEqual(data.rows, [
      {
        campaign_id: world.ids.campaign,
        name: 'Spring',
        utm_campaign: 'spring-26',
        visitors: 4,
        visits: 4,
        revenue: 20_000,
        conversions: 2,
        conversion_rate: 50,
        cost_cents: 10_000,
        cost_per_conversion_cents: 5_000,
        return_rate: 100,
      },
      ...[
        ['wild', null, 'wild', 1],
        ['Later', 'id', 'later', 0],
      ].map(([name, id, value, visits]) => ({
        campaign_id: id && data.rows[2].campaign_id,
        name,
        utm_campaign: value,
        visitors: visits,
        visits,
        revenue: 0,
        conversions: null,
        conversion_rate: null,
        cost_cents: null,
        cost_per_conversion_cents: null,
        return_rate: null,
      })),
    ])
    await call('DELETE', `${site}/goals/${goal}`)
    const [spring] = (await call('GET', `${site}/campaigns/report?period=custom&from=2026-03-01&to=2026-03-10`)).body.data.rows
    assert.deepEqual([spring.visits, spring.conversions], [4, null], 'without its goal a campaign counts visits alone')
  })

  test('with a filter the cost of a campaign is left out with a note, unless the filter only chooses campaigns', async () => {
    const page = (campaign: string) => ({ u: `https://${world.ids.domain}/?utm_campaign=${campaign}` })
    await send('203.0.113.1', page('spring-26'))
    await send('203.0.113.1', { n: 'Buy', $: { currency: 'EUR', amount: 150 } })
    await send('203.0.113.2', page('spring-26'))
    await call('POST', `${site}/campaigns`, { name: 'Later', utm_campaign: 'later', cost_cents: 700 })
    const path = `${site}/campaigns/report?from=2026-03-01&to=2026-03-10`
    const ask = async (filters: unknown) => {
      const { data, meta } = (await call('GET', `${path}&filters=${encodeURIComponent(JSON.stringify(filters))}`)).body
      const rows = data.rows.map((row: any) => [row.utm_campaign, row.revenue, row.cost_cents, row.return_rate])
      return { rows, notes: meta.notes.map(({ code }: { code: string }) => code) }
    }
    assert.deepEqual(await ask([['event', 'is', 'Buy']]), {
      rows: [
        ['spring-26', 15_000, null, null],
        ['later', 0, null, null],
      ],
      notes: ['cost_not_narrowed'],
    })
    assert.deepEqual(await ask([['utm_campaign', 'is', 'spring-26']]), { rows: [['spring-26', 15_000, 10_000, 50]], notes: [] })
    assert.deepEqual(await ask([['utm_campaign', 'not_contains', 'spring']]), { rows: [['later', 0, 700, -100]], notes: [] })
    assert.ok(
      (
        await ask([
          {
            any: [
              ['utm_campaign', 'is', 'later'],
              ['device', 'is', 'mobile'],
            ],
          },
        ])
      ).notes.includes('cost_not_narrowed'),
    )
  })

  test('a short address leads to the stored page with its tags, whatever it is asked with; bots and pages loaded ahead are not counted', async () => {
    const link = (await call('GET', `${site}/campaign_links/${world.ids.campaign_link}`)).body.data
    assert.equal(
      link.tagged_url,
      `https://${world.ids.domain}/spring?color=green&utm_source=newsletter&utm_medium=email&utm_campaign=spring-26`,
    )
    const slug: string = link.slug
    for (const asked of [slug, `${slug}?url=https://evil.example/&utm_source=x`, `${slug}.json`]) {
      const reply = await open(asked)
      assert.deepEqual([reply.status, reply.headers.get('location')], [302, link.tagged_url], asked)
      assert.equal(reply.headers.get('cache-control'), 'no-store')
    }
    await open(slug, 'Googlebot/2.1')
    await open(slug, undefined, { 'Sec-Purpose': 'prefetch;prerender' })
    assert.equal((await request(service, 'HEAD', `/l/${slug}`, { headers: { 'User-Agent': chrome } })).status, 302, 'where it leads')
    const after = (await call('GET', `${site}/campaign_links/${link.id}`)).body.data
    assert.deepEqual([after.clicks, after.last_clicked_at], [3, new Date(service.clock.now).toISOString()])
    for (const nobody of ['nobody-here', 'x', '..%2f', `${slug}%00`, 'A'.repeat(300)])
      assert.equal((await open(nobody)).status, 404, nobody)
    await removeSite(service, world)
    assert.equal((await open(slug)).status, 404)
  })

  test('links: a slug of one’s own or by chance, once; only web addresses', async () => {
    const page = `https://${world.ids.domain}`
    const add = (body: object) => call('POST', `${site}/campaign_links`, { url: `${page}/a?utm_source=old#b`, ...body })
    const own = `sale-${world.ids.site?.slice(-8)}`
    const made = (await add({ slug: own, utm_source: 'x y&z' })).body.data
    assert.equal(made.tagged_url, `${page}/a?utm_source=x+y%26z#b`)
    assert.equal(made.short_url, `http://footfall.test/l/${own}`)
    assert.deepEqual(codeOf(await add({ slug: own })), [422, 'already_exists'])
    assert.match((await add({})).body.data.slug, /^[a-z0-9]{8}$/)
    for (const url of [
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://example.org/',
      'https://a:b@example.org/',
      '//example.org',
      made.short_url,
    ])
      assert.deepEqual(faultsOf(await call('POST', `${site}/campaign_links`, { url })), ['/url invalid_format'], url)
    for (const slug of ['ab', 'A-b', '-ab', 'a_b', 'a/b']) assert.deepEqual(faultsOf(await add({ slug })), ['/slug invalid_format'], slug)
    const moved = await call('PATCH', `${site}/campaign_links/${made.id}`, { url: `${page}/b`, utm_source: null })
    assert.equal(moved.body.data.tagged_url, `${page}/b`)
  })

  test('a short address redirects only to hosts of the sites and to hosts that the workspace lists', async () => {
    const { domain, workspace } = world.ids
    const add = (url: string) => call('POST', `${site}/campaign_links`, { url })
    for (const url of [
      'https://evil.example/',
      `https://${domain}.evil.example/`,
      `https://evil${domain}/`,
      `https://evil.example/https://${domain}/`,
      `https://evil.example\\@${domain}/`,
      `https:/\\evil.example/@${domain}`,
      `https://sub.${domain}/`,
      `https://${domain}:8443/`,
      'https://footfall.test/sign-in?next=//evil.example',
    ])
      assert.deepEqual(faultsOf(await add(url)), ['/url not_in_enum'], url)
    for (const url of [`https://www.${domain}/`, `http://${domain}./x`, `HTTPS://${domain?.toUpperCase()}/`])
      assert.equal((await add(url)).status, 201, url)
    const theirs = await makeWorld(service)
    assert.deepEqual(faultsOf(await add(`https://${theirs.ids.domain}/`)), ['/url not_in_enum'], 'a site of another workspace')

    const hosts = `/workspaces/${workspace}/link_hosts`
    const host = await call('POST', hosts, { host: 'https://www.Evil.example/path' })
    assert.equal(host.body.data.host, 'evil.example')
    assert.deepEqual(codeOf(await call('POST', hosts, { host: 'evil.example' })), [422, 'already_exists'])
    for (const wrong of ['*', '*.example', '', 'a b', 'a@b', 'https://'])
      assert.equal((await call('POST', hosts, { host: wrong })).status, 422, wrong)
    const made = (await add('https://evil.example/x')).body.data
    assert.equal((await open(made.slug)).headers.get('location'), 'https://evil.example/x')
    const moved = await call('PATCH', `${site}/campaign_links/${made.id}`, { url: 'https://worse.example/' })
    assert.deepEqual(faultsOf(moved), ['/url not_in_enum'])
    assert.equal((await call('DELETE', `${hosts}/${host.body.data.id}`)).status, 200)
    assert.equal((await open(made.slug)).status, 404, 'a host that was taken from the list')
    assert.equal((await call('PATCH', `${site}/campaign_links/${made.id}`, { utm_source: 'x' })).status, 200)

    const own = (await add(`https://${domain}/`)).body.data
    await call('PATCH', site, { domain: `moved-${domain}` })
    assert.equal((await open(own.slug)).status, 404, 'a domain that is no site’s any more')
    const entries = (await call('GET', `/workspaces/${workspace}/audit?per_page=100`)).body.data.map(
      (each: { operation: string }) => each.operation,
    )
    for (const operation of ['link_hosts_create', 'link_hosts_delete']) assert.ok(entries.includes(operation), operation)
    const editor = await world.tokenFor('editor')
    assert.equal((await request(service, 'POST', hosts, { token: editor, body: { host: 'mine.example' } })).status, 403)
  })

  test('the hosts of the links that there were before the list are on it after an upgrade', async () => {
    const { write, dialect } = service.store
    const [mine, theirs] = [world, await makeWorld(service)]
    const add = async (of: World, url: string) => {
      const made = await write
        .selectFrom('campaign_links')
        .selectAll()
        .where('id', '=', of.ids.campaign_link ?? '')
        .executeTakeFirstOrThrow()
      const slug = `old-${Math.trunc(service.clock.now++)}`
      await write
        .insertInto('campaign_links')
        .values({ ...made, id: `lnk_${slug}`, slug, url })
        .execute()
      return slug
    }
    const slugs = [
      await add(mine, `https://www.${mine.ids.domain}/`),
      await add(mine, 'https://www.Partner.example:8443/a'),
      await add(mine, 'https://partner.example:8443/b'),
      await add(theirs, 'https://partner.example./c'),
    ]
    await sql`drop table link_hosts`.execute(write)
    await runStep(write as never, dialect, '2026-11-25-4-link-hosts')
    const rows = await write
      .selectFrom('link_hosts')
      .selectAll()
      .where('workspace_id', 'in', [mine.ids.workspace ?? '', theirs.ids.workspace ?? ''])
      .execute()
    assert.deepEqual(
      rows.map(({ workspace_id, host }) => `${workspace_id} ${host}`).sort(),
      [`${mine.ids.workspace} partner.example:8443`, `${theirs.ids.workspace} partner.example`].sort(),
    )
    for (const slug of slugs) assert.equal((await open(slug)).status, 302, slug)
  })

  test('campaigns: one a value, days in order, goals of the site', async () => {
    const add = (body: object) => call('POST', `${site}/campaigns`, { name: 'X', utm_campaign: 'x', ...body })
    const foreign = await makeWorld(service)
    assert.deepEqual(codeOf(await add({ utm_campaign: 'spring-26' })), [422, 'already_exists'])
    assert.deepEqual(faultsOf(await add({ starts_on: '2026-03-02', ends_on: '2026-03-01', goal_id: foreign.ids.goal })), [
      '/ends_on too_small',
      '/goal_id not_found',
    ])
    assert.deepEqual(faultsOf(await add({ cost_cents: -1 })), ['/cost_cents too_small'])
    const { data } = (await add({ cost_cents: 5, goal_id: world.ids.goal })).body
    const cleared = (await call('PATCH', `${site}/campaigns/${data.id}`, { cost_cents: null, goal_id: '' })).body.data
    assert.deepEqual([cleared.cost_cents, cleared.goal_id, cleared.name], [null, null, 'X'])
    assert.equal((await call('PATCH', `${site}/campaigns/${data.id}`, data)).status, 200)
  })
})
