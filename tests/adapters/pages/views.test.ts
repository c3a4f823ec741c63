/** Views of reports: which there are, and that they show what comes from outside as text. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { recordOf } from '../../../adapters/pages/page-tree.ts'
import { hasPage } from '../../../adapters/surfaces.ts'
import { hasView, loadAreaViews } from '../../../adapters/pages/area-views.ts'
import { table } from '../../../operations/index.ts'
import { hit, store } from '../../storage/engine/traffic.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { makeWorld, ownPage, request, startService, type TestService, type World } from '../../support/world.ts'

const pages = [...table.operations.values()].filter(hasPage)

test('every report with a list has a view', async () => {
  await loadAreaViews(table)
  const reports = pages.filter(({ answers, output }) => answers.kind === 'report' && JSON.stringify(output).includes('"type":"array"'))
  assert.deepEqual([...new Set(reports.filter(each => !hasView(table, each)).map(recordOf))].sort(), [])
})

const naughty = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'; drop table sites; --",
  '</title></svg></style><svg onload=alert(1)>',
  'javascript:alert(1)',
  '\u202Egnp.exe',
  '{{constructor.constructor("alert(1)")()}}',
  '%3Cscript%3Ealert(1)%3C/script%3E',
  '👩‍👩‍👧‍👦 ﷽ Ω≈ç√∫',
]

onAnyEngine('Views of pages', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
    await sendNaughty(service, world)
  })
  after(() => service.close())
  const session = () => world.shown.session ?? assert.fail('the example world has no session')
  const open = (path: string, token = session()) => request(service, 'GET', path, { token, headers: { Accept: 'text/html' } })
  const submit = (path: string, fields: readonly (readonly [string, string])[]) =>
    request(service, 'POST', path, {
      token: session(),
      body: String(new URLSearchParams(fields.map(([name, value]) => [name, value]))),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html', ...ownPage },
    })

  test('the button of a form that cannot be undone is red', async () => {
    const { site, goal } = world.ids
    const isRed = async (address: string) => /<button type="submit" class="danger">/.test((await open(address)).text)
    assert.equal(await isRed(`/sites/${site}/merges?do=sites_merge`), true)
    assert.equal(await isRed(`/sites/${site}/erasures?do=visits_erase`), true)
    assert.equal(await isRed(`/sites/${site}/goals/${goal}?do=goals_delete`), true)
    assert.equal(await isRed(`/sites/${site}/goals?do=goals_create`), false)
  })

  test('conditions with the id of a goal say its name, in the head of a report, in its form and on a segment', async () => {
    const { site, goal = '' } = world.ids
    const name = 'Signup' // as the example calls it
    const filters = encodeURIComponent(
      JSON.stringify([
        {
          any: [
            ['goal', 'is_not', [goal, 'goal_gone']],
            ['page', 'is', '/'],
          ],
        },
      ]),
    )
    const report = await open(`/sites/${site}/overview?filters=${filters}&condition=0`)
    assert.match(report.text, new RegExp(`<(a|span)[^>]*>Goal is not ${name} or goal_gone or Page is /</`))
    const body = JSON.stringify({ name: 'Not there yet', filters: [['goal', 'is', goal]] })
    await request(service, 'POST', `/sites/${site}/segments`, { token: world.token, body })
    const segment = await open(`/sites/${site}/segments`)
    assert.match(segment.text, new RegExp(`Goal is ${name}`))
    assert.doesNotMatch(segment.text, new RegExp(`>[^<]*${goal}`))
  })

  test('a form whose record exists already names it and leads to it, and programs also receive its id', async () => {
    const { site } = world.ids
    const twice = [0, 1].map(() => [['/kind', 'page'] as const, ['/path', '/made-twice'] as const, ['/name', ''] as const])
    const [first, again] = [await submit(`/sites/${site}/goals`, twice[0] ?? []), await submit(`/sites/${site}/goals`, twice[1] ?? [])]
    const id = /goal_\w{23}/.exec(first.headers.get('location') ?? '')?.[0] ?? assert.fail(first.text)
    const [, faults = ''] = /<div class="faults" role="alert">(.*?)<\/div>/.exec(again.text) ?? []
    assert.match(faults, /^<p>The site already has a goal with this name. The other one is “\/made-twice”.<\/p>/)
    assert.match(faults, new RegExp(`<a href="/sites/${site}/goals/${id}">Open “/made-twice”</a>`))
    const body = JSON.stringify({ kind: 'page', path: '/made-twice' })
    const program = await request(service, 'POST', `/sites/${site}/goals`, { token: world.token, body })
    assert.match(program.body.error.message, new RegExp(`The other one is /made-twice \\(${id}\\)\\.$`))
  })

  test('a chart compares no day with one that a shorter month lacks, and every day with a longer month', async () => {
    const { site } = world.ids
    const months = { january: ['2026-01-01', '2026-01-31'], february: ['2026-02-01', '2026-02-28'] } as const
    const compared = async (path: string, month: keyof typeof months, other: keyof typeof months) => {
      const [[from, to], [compare_from, compare_to]] = [months[month], months[other]]
      const query = new URLSearchParams({ period: 'custom', from, to, compare: 'custom', compare_from, compare_to, interval: 'day' })
      const { text } = await open(`/sites/${site}/${path}?${query}`)
      const chart = /<figure class="chart">[^]*?<\/figure>/.exec(text)?.[0] ?? assert.fail('no chart')
      const cells = [...chart.matchAll(/<tr><th scope="row">[^<]*<\/th><td class="number">[^<]*<\/td><td class="number">([^<]*)</g)]
      const titles = [...chart.matchAll(/<title>[^<]*\n[^<]*: ([^<]*)<\/title>/g)]
      const [, line = ''] = /<path class="before" d="([^"]*)"/.exec(chart) ?? []
      return { cells: cells.map(([, cell]) => cell), titles: titles.map(([, shown]) => shown), points: line.split(/[A-Z]/).length - 1 }
    }
    const days = (zeros: number, none: number) => [...Array<string>(zeros).fill('0'), ...Array<string>(none).fill('–')]
    for (const path of ['overview', 'stats/timeseries']) {
      const shorter = await compared(path, 'january', 'february')
      assert.deepEqual(shorter, { cells: days(28, 3), titles: days(28, 3), points: 28 })
      const longer = await compared(path, 'february', 'january')
      assert.deepEqual(longer, { cells: days(28, 0), titles: days(28, 0), points: 28 })
    }
  })

  test('the figures of a page lead to the page of the site, and to no other host', async () => {
    const { site } = world.ids
    const linkAt = async (path: string) =>
      /<a href="([^"]*)" rel="noopener noreferrer nofollow">/.exec(
        (await open(`/sites/${site}/pages/detail?path=${encodeURIComponent(path)}`)).text,
      )?.[1]
    const [, domain] = /^https:\/\/([^/]+)\/pricing$/.exec((await linkAt('/pricing')) ?? '') ?? assert.fail('there is no link')
    for (const path of ['@evil.example/', '.evil.example/', ':80@evil.example/', '/\\evil.example', '//evil.example/'])
      assert.match((await linkAt(path)) ?? `https://${domain}/`, new RegExp(`^https://${domain}/`), path)
  })

  test('texts of visitors are shown as text, by every view of a report', async () => {
    const [first = ''] = naughty
    const query = (name: string, value: string) => `${name}=${encodeURIComponent(value)}`
    const reports = [
      'overview?sources=referrer&goals=event',
      'breakdown/page',
      'breakdown/country',
      'breakdown/event',
      'events',
      'journeys',
      `journeys?${query('path', `/${first}`)}`,
      `journeys?mode=reverse&${query('path', `/${first}`)}`,
      `pages/detail?${query('path', `/${first}`)}`,
      `events/detail?${query('name', first)}&${query('properties', JSON.stringify([first]))}`,
      `experiments?${query('property', first)}&goal_id=${world.ids.goal}`,
      'live',
      'performance',
      'insights',
      `funnels/${world.ids.funnel}`,
      `funnels/${world.ids.funnel}/report`,
    ]
    for (const report of reports) {
      const { status, text } = await open(`/sites/${world.ids.site}/${report}`)
      assert.equal(status, 200, `${report}: ${text.slice(0, 300)}`)
      assert.doesNotMatch(text, /<script>alert|<img src=x|<svg onload|onerror=alert\(1\)>|href="javascript:/, report)
      assert.doesNotMatch(text, / style="|<script(?![^>]* src=)|\bundefined\b|\[object |\bNaN\b/, report)
      for (const [link] of text.matchAll(/href="[^"]*"/g)) assert.match(link, /^href="(?:\/(?!\/)|#|https?:|\?)/, report)
      if (!/live|performance|insights|funnels|country/.test(report)) assert.match(text, /&lt;script&gt;alert/, report)
    }
  })

  test('cards of a dashboard can be added, changed, moved and removed with only forms', async () => {
    const dashboards = `/workspaces/${world.ids.workspace}/dashboards`
    const made = await submit(dashboards, [['/name', 'Mornings']])
    const at = (made.headers.get('location') ?? '').replace(/\?.*/, '')
    const cards = async () => {
      const { body } = await request(service, 'GET', `${at}.json`, { token: world.token })
      return body.data.cards.map(({ type, params }: { type: string; params: { period?: string } }) =>
        `${type} ${params.period ?? ''}`.trim(),
      )
    }
    /** Sends the n-th form of the page, as a browser would, with these fields changed. */
    const send = async (path: string, button: string, changes: Readonly<Record<string, string>> = {}) => {
      const { text } = await open(path)
      const form = text.match(/<form[^>]*>[^]*?<\/form>/g)?.find(each => each.includes(`>${button}<`)) ?? assert.fail(`no form "${button}"`)
      const action = /action="([^"]*)"/.exec(form)?.[1]?.replaceAll('&amp;', '&') ?? ''
      const reply = await submit(action, fieldsOf(form, changes))
      assert.equal(reply.status, 303, reply.text.slice(0, 2_000))
    }
    const site = world.ids.site ?? ''
    await send(`${at}?edit=new`, 'Add this card', { '/cards/0/type': 'metric', '/cards/0/site_id': site, '/cards/0/params/period': '7d' })
    await send(`${at}?edit=new`, 'Add this card', { '/cards/1/type': 'live', '/cards/1/site_id': site })
    await send(`${at}?edit=new`, 'Add this card', { '/cards/2/type': 'chart', '/cards/2/site_id': site })
    assert.deepEqual(await cards(), ['metric 7d', 'live', 'chart'])
    await send(`${at}?edit=2`, 'Move up')
    assert.deepEqual(await cards(), ['metric 7d', 'chart', 'live'])
    await send(`${at}?edit=0`, 'Move down')
    assert.deepEqual(await cards(), ['chart', 'metric 7d', 'live'])
    await send(`${at}?edit=1`, 'Change this card', { '/cards/1/params/period': '30d' })
    assert.deepEqual(await cards(), ['chart', 'metric 30d', 'live'])
    for (let left = 3; left > 0; left--) await send(`${at}?edit=0`, 'Remove')
    assert.deepEqual(await cards(), [])
    const wrong = await submit(`${at}?_method=PATCH`, [
      ['/cards', ''],
      ['/cards/0/type', 'funnel'],
      ['/cards/0/site_id', site],
    ])
    assert.equal(wrong.status, 422)
    assert.match(wrong.text, /id="f-cards-0-params-funnel_id-fault"/)
  })

  test('the form of one card proposes nothing of another that was being made', async () => {
    const board = `/workspaces/${world.ids.workspace}/dashboards/${world.ids.dashboard}`
    const { text } = await open(`${board}?edit=new&type=table&dimensions=country&metrics=visits`)
    const edits = [...text.matchAll(/class="edit" href="([^"]*)"/g)].map(([, href]) => href)
    assert.ok(edits.length > 1)
    assert.ok(
      edits.every(href => /\?edit=\d+#at-\d+$/.test(href ?? '')),
      edits.join('\n'),
    )
    assert.doesNotMatch((await open(board)).text, /do=dashboards_(update|delete)/) // they are in the mode that edits
    assert.match(text, /do=dashboards_update/)
  })

  test('a list of dashboards has a tile for each, with the number of its cards', async () => {
    const { text } = await open(`/workspaces/${world.ids.workspace}/dashboards`)
    assert.match(text, /class="card tile".*<b>[^<]+<\/b>.*\d+ cards/s)
  })

  test('a site opens with today on the day of its first visit, with 7 days in the week after, then with 30', async () => {
    const DAY = 86_400_000
    const path = `/workspaces/${world.ids.workspace}/sites`
    const made = await request(service, 'POST', path, { token: world.token, body: { domain: 'young.example.net' } })
    const { id } = made.body.data
    const { number } = await service.store.read.selectFrom('sites').select('number').where('id', '=', id).executeTakeFirstOrThrow()
    const shown = async (query = '') => {
      const { text } = await open(`/sites/${id}/overview${query}`)
      const period = /data-key="c"[^>]*><svg.*?<\/svg><span>([^<]*?) </s.exec(text)?.[1]
      assert.match(/<title>(.*?)<\/title>/s.exec(text)?.[1] ?? '', new RegExp(`· ${period}`, 'i'))
      return period
    }
    await store(service.store, [hit({ number, timezone: 'UTC' }, { who: 'v', at: service.clock.now - 1_000, page: '/' })])
    assert.equal(await shown(), 'Today')
    assert.equal(await shown('?period=30d'), 'Last 30 days')
    service.clock.now += 3 * DAY
    assert.equal(await shown(), 'Last 7 days')
    service.clock.now += 5 * DAY
    assert.equal(await shown(), 'Last 30 days')
  })

  test('a member who may not change a dashboard sees no controls for it', async () => {
    const { text } = await open(
      `/workspaces/${world.ids.workspace}/dashboards/${world.ids.dashboard}?edit=0`,
      await world.sessionFor('viewer'),
    )
    assert.doesNotMatch(text.slice(text.indexOf('<main')), /_method=PATCH|edit=/)
    assert.match(text, /class="board"/)
  })
})

/** The fields that a browser would send of a form: hidden, typed and chosen ones. */
function fieldsOf(form: string, changes: Readonly<Record<string, string>>): [string, string][] {
  const plain = (text: string) =>
    text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  const attribute = (tag: string, name: string) => plain(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '')
  return [...form.matchAll(/<input[^>]*>|<select[^>]*>[^]*?<\/select>/g)].map(([control]): [string, string] => {
    const name = attribute(control, 'name')
    if (Object.hasOwn(changes, name)) return [name, changes[name] ?? '']
    if (control.startsWith('<input')) return [name, attribute(control, 'value')]
    const options = control.match(/<option[^>]*>/g) ?? []
    return [name, attribute(options.find(option => / selected/.test(option)) ?? options[0] ?? '', 'value')]
  })
}

/** Visits whose pages, sources, events, properties, clicks and scrolling carry such texts. */
async function sendNaughty(service: TestService, { siteNumber }: World): Promise<void> {
  const site = { number: siteNumber, timezone: 'UTC' }
  const { now } = service.clock
  const sent = Array.from({ length: 240 }, (_, i) => {
    const said = naughty[i % naughty.length] ?? ''
    const [who, page] = [`v${Math.floor(i / 4)}`, `/${said}`] // four pages a visit
    const at = now - 9 * 86_400_000 + i * 1_500_000
    const visit = { country: ['DE', 'FR', 'ZZ'][i % 3] ?? '', referrer: said, source: said, utm_campaign: said, browser: said }
    return [
      hit(site, { who, at, page, visit }),
      hit(site, { who, at: at + 1_000, page, event: said, props: { [said]: said, price: i }, visit }),
      hit(site, { who, at: at + 2_000, page, kind: 'engagement', engagedMs: 1_000, scroll: i % 100 }),
      hit(site, { who, at: at + 3_000, page, kind: 'clicks', clicks: [{ selector: said, x: 500, y: 40 }] }),
      hit(site, { who, at: at + 4_000, page, kind: 'vitals', vitals: { lcp: 1_000 + i } }),
    ]
  }).flat()
  await store(service.store, sent, 20)
}
