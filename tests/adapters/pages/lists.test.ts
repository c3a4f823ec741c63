/** Lists and tables that show no more than there is, at the width of a phone as well. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { table } from '../../../operations/index.ts'
import { withoutChromium } from '../../support/chromium.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { callHttp, fill, makeWorld, request, startService, type TestService, type World } from '../../support/world.ts'
import { openBrowser } from './browser.ts'

const DAY = 86_400_000

onAnyEngine('Lists', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
  })
  after(() => service.close())

  const open = async (path: string) =>
    (await request(service, 'GET', path, { token: world.shown.session, headers: { Accept: 'text/html' } })).text
  const call = (name: string, input: object) => {
    const operation = table.operations.get(name) ?? assert.fail(name)
    return callHttp(service, operation, { site_id: world.ids.site, ...input }, world.token)
  }

  test('an import is a card with its file, its state and its source', async () => {
    const { examples } = table.operations.get('imports_create') ?? assert.fail()
    const made = await call('imports_create', fill(examples[0]?.input ?? {}, world))
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const { id, filename, source } = made.body.data
    const [card = ''] = /<ul class="watched">[^]*?<\/ul>/.exec(await open(`/sites/${world.ids.site}/imports`)) ?? []
    assert.match(card, new RegExp(`<a href="/sites/${world.ids.site}/imports/${id}"><b>${filename.replaceAll('.', '\\.')}</b>`))
    assert.match(card, /<span class="tag [^"]*">awaiting upload<\/span>/)
    assert.match(card, new RegExp(source.slice(0, 4), 'i'))
  })

  test('an empty list keeps its filter only if others may be shown by it', async () => {
    const workspace = `/workspaces/${world.ids.workspace}`
    const list = () => request(service, 'GET', `${workspace}/uptime/probe_tokens.json`, { token: world.token })
    for (const { id } of (await list()).body.data)
      await request(service, 'DELETE', `${workspace}/uptime/probe_tokens/${id}.json`, { token: world.token })
    assert.deepEqual((await list()).body.data, [])
    assert.match(await open(`${workspace}/uptime/probe_tokens`), /name="\/?include_revoked"/)

    const made = await callHttp(
      service,
      table.operations.get('sites_create') ?? assert.fail(),
      { workspace_id: world.ids.workspace, domain: 'empty.example.net', timezone: 'UTC', currency: 'EUR' },
      world.token,
    )
    assert.doesNotMatch(await open(`/sites/${made.body.data.id}/traffic_rules`), /name="\/?kind"/)
  })

  test('retention begins with the week of the first person', async () => {
    await call('sites_update', { identity: 'declared' })
    for (const week of [1, 2]) {
      service.clock.now += 7 * DAY
      const body = { n: 'pageview', u: 'https://example.com/', d: world.ids.site, user: `person-${week}` }
      const { status, text } = await request(service, 'POST', '/api/event', {
        body,
        headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36' },
      })
      assert.ok(status < 300, text)
    }
    const page = await open(`/sites/${world.ids.site}/retention`)
    const [cohorts = ''] = /<tbody>[^]*?<\/tbody>/.exec(page.slice(page.indexOf('By when they first came'))) ?? []
    assert.equal(cohorts.match(/<tr>/g)?.length, 2, 'one row for each week since then')
  })
})

test('names of compared segments are read on a phone', { skip: withoutChromium }, async () => {
  const opened = await openBrowser()
  try {
    const context = await opened.signedIn({ viewport: { width: 360, height: 780 } })
    const page = await context.newPage()
    const { site, segment } = opened.world.ids
    await page.goto(`${opened.base}/sites/${site}/overview?period=30d&segment_id=${segment}&beside=all`)
    const widths = await page.locator('.two.panel tbody th').evaluateAll(names => names.map(name => name.getBoundingClientRect().width))
    assert.ok(widths.length > 0)
    assert.ok(Math.min(...widths) >= 120, `${Math.min(...widths)} px are left for names`)
  } finally {
    await opened.close()
  }
})

test('headings of a long table stay below the head of the page while it is scrolled', { skip: withoutChromium }, async () => {
  const opened = await openBrowser()
  try {
    const context = await opened.signedIn({ viewport: { width: 1280, height: 700 } })
    const page = await context.newPage()
    const reports = `${opened.base}/sites/${opened.world.ids.site}`
    await page.goto(`${reports}/visits?period=90d`)
    await page.locator('.scroll.fits').waitFor({ state: 'attached' })
    await page.locator('.scroll tbody tr').last().scrollIntoViewIfNeeded()
    const [scrolled, covered, heading] = await page.evaluate(() => [
      scrollY,
      document.querySelector('main > .head')?.getBoundingClientRect().bottom ?? Number.NaN,
      document.querySelector('.scroll thead th')?.getBoundingClientRect().top ?? Number.NaN,
    ])
    assert.ok(scrolled > 200, `${scrolled} px`)
    // The end of the head is a shade of 8 px, under which the headings begin.
    assert.ok(Math.abs(heading - (covered - 8)) <= 1, `${heading} px, and the head ends at ${covered} px`)

    // A wider table is moved sideways in its box.
    await page.setViewportSize({ width: 1000, height: 700 })
    await page.goto(`${reports}/breakdown/page?period=90d`)
    await page.locator('.scroll[style]').waitFor({ state: 'attached' })
    assert.equal(await page.locator('.scroll.fits').count(), 0)
  } finally {
    await opened.close()
  }
})
