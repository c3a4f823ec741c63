/** Reports say what their numbers are: filters that exclude each other, ranges before the data, and visitors of several days. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { table } from '../../operations/index.ts'
import { hit, store as keep } from '../storage/engine/traffic.ts'
import { onAnyEngine } from '../support/engines.ts'
import { callHttp, makeWorld, ownPage, request, startService, type TestService, type World } from '../support/world.ts'

const DAY = 86_400_000

onAnyEngine('reports say what their numbers are', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
    const site = { number: world.siteNumber, timezone: 'Europe/Berlin' }
    const { now } = service.clock
    const visit = (country: string) => ({ country, region: `${country}-A` })
    await keep(service.store, [
      hit(site, { who: 'a', at: now - 2 * DAY, page: '/', visit: visit('DE') }),
      hit(site, { who: 'a', at: now - 2 * DAY + 1_000, page: '/docs', visit: visit('DE') }),
      hit(site, { who: 'b', at: now - DAY, page: '/', visit: visit('FR') }),
      hit(site, { who: 'b', at: now - DAY + 1_000, page: '/', event: 'Signup', props: { plan: 'pro' }, visit: visit('FR') }),
      hit(site, { who: 'c', at: now - DAY, page: '/price', event: 'Order', props: { plan: 'free' }, visit: visit('FR') }),
    ])
  })
  after(() => service.close())

  async function ask(name: string, input: Record<string, unknown>) {
    const operation = table.operations.get(name) ?? assert.fail(name)
    const { status, body, text } = await callHttp(service, operation, { site_id: world.ids.site, ...input }, world.token)
    assert.ok(status < 300, text)
    return body
  }
  const notesWith = async (filters: unknown[]) => {
    const { data, meta } = await ask('stats_aggregate', { period: '7d', compare: 'none', filters })
    return {
      visits: data.metrics.visits,
      pageviews: data.metrics.pageviews,
      notes: meta.notes.map((note: any) => [note.code, note.message]),
    }
  }

  for (const [name, filters] of Object.entries({
    'two countries': [
      ['country', 'is', 'DE'],
      ['country', 'is', 'FR'],
    ],
    'a country and its negation': [
      ['country', 'is', 'DE'],
      ['country', 'is_not', 'DE'],
    ],
    'a page and its negation': [
      ['page', 'is', '/'],
      ['page', 'is_not', ['/', '/docs']],
    ],
    'an event and its negation': [
      ['event', 'is', 'Signup'],
      ['event', 'not_contains', 'Sign'],
    ],
    'two values of a property': [
      ['property:plan', 'is', 'pro'],
      ['property:plan', 'is', 'free'],
    ],
    'two pages of one hit': [
      {
        all: [
          ['page', 'is', '/'],
          ['page', 'is', '/docs'],
        ],
      },
    ],
  }))
    test(`filters on ${name} exclude each other, which a note says`, async () => {
      const { visits, notes } = await notesWith(filters)
      assert.equal(visits, 0)
      assert.deepEqual(
        notes.flatMap(([code]: [string]) => (code === 'bounces_of_entries' ? [] : [code])),
        ['filters_exclude'],
        JSON.stringify(notes),
      )
      assert.match(notes[0][1], /\/filters\/\d.*exclude each other/)
    })

  for (const [name, filters] of Object.entries({
    'one of two countries': [['country', 'any_of', ['DE', 'FR']]],
    'a country and another dimension': [
      ['country', 'is', 'DE'],
      ['page', 'is', '/docs'],
    ],
    'filters that overlap': [
      ['country', 'any_of', ['DE', 'FR']],
      ['country', 'is_not', 'FR'],
    ],
    'two negations': [
      ['page', 'is_not', '/price'],
      ['page', 'is_not', '/docs'],
    ],
    'pages of which one contains the other': [
      ['page', 'contains', 'docs'],
      ['page', 'is', '/docs'],
    ],
  }))
    test(`filters on ${name} have no note, since visits pass them`, async () => {
      const { visits, notes } = await notesWith(filters)
      assert.ok(visits > 0)
      assert.deepEqual(
        notes.filter(([code]: [string]) => code === 'filters_exclude' || code === 'pages_apart'),
        [],
      )
    })

  test('two filters on pages keep visits that saw both, and a note says why their pageviews are 0', async () => {
    const { visits, pageviews, notes } = await notesWith([
      ['page', 'is', '/'],
      ['page', 'is', '/docs'],
    ])
    assert.deepEqual([visits, pageviews], [1, 0])
    assert.ok(
      notes.some(([code]: [string]) => code === 'pages_apart'),
      JSON.stringify(notes),
    )
  })

  test('a value that the site never had is named once, not as an exclusion', async () => {
    const { notes } = await notesWith([
      ['country', 'is', 'DE'],
      ['country', 'is', 'XX'],
    ])
    assert.deepEqual(
      notes.map(([code]: [string]) => code),
      ['no_such_value'],
    )
  })

  test('a period or comparison before the first day with data is named', async () => {
    const codes = async (input: object) =>
      (await ask('stats_aggregate', { compare: 'none', ...input })).meta.notes.map(({ code }: { code: string }) => code)
    assert.deepEqual(await codes({ from: '2026-01-01', to: '2026-01-31' }), ['before_first_day'])
    assert.deepEqual(await codes({ period: '7d', compare: 'previous_period' }), ['comparison_before_first_day'])
    assert.deepEqual(await codes({ period: '7d' }), [])
  })

  test('rows of events say that their pageviews are always 0, unless these are not asked for', async () => {
    const codes = async (metrics: string[]) =>
      (await ask('stats_breakdown', { period: '7d', dimension: 'event', metrics })).meta.notes.map(({ code }: { code: string }) => code)
    assert.ok((await codes([])).includes('always_zero'))
    assert.ok(!(await codes(['visitors', 'events'])).includes('always_zero'))
  })

  test('pages say next to visitors of several days that they are added up, and not next to visitors of one day', async () => {
    const page = async (path: string) => {
      const headers = { Accept: 'text/html', ...ownPage }
      const { status, text } = await request(service, 'GET', path, { token: world.shown.session ?? '', headers })
      assert.equal(status, 200, text)
      return text
    }
    const site = `/sites/${world.ids.site}`
    const hint = /class="basis"[^>]*>\s*daily, added up/
    for (const path of ['overview?', 'breakdown/country?']) {
      assert.match(await page(`${site}/${path}period=7d`), hint, path)
      assert.doesNotMatch(await page(`${site}/${path}period=yesterday`), hint, path)
    }
    const empty = await page(
      `${site}/breakdown/country?period=7d&filters=${encodeURIComponent('[["country","is","DE"],["country","is","FR"]]')}`,
    )
    assert.match(empty, /exclude each other/)
  })

  test('pages show a rate or mean of nothing as unknown, where the API returns 0', async () => {
    const cells = async (path: string, row: string): Promise<string[]> => {
      const headers = { Accept: 'text/html', ...ownPage }
      const { text } = await request(service, 'GET', `/sites/${world.ids.site}/${path}`, { token: world.shown.session ?? '', headers })
      const found = text.match(new RegExp(`<tr><th scope="row">(?:(?!</tr>).)*${row}.*?</tr>`))?.[0] ?? assert.fail(`no row ${row}`)
      return [...found.matchAll(/<td class="number">\s*([^<]*?)\s*</g)].map(([, shown]) => shown ?? '')
    }
    const columns = 'metrics=entries&metrics=bounce_rate&metrics=visit_duration'
    assert.deepEqual((await cells(`breakdown/page?period=7d&compare=none&${columns}`, '/docs')).toSorted(), ['0', '–', '–'])
    const entered = await cells(`breakdown/page?period=7d&compare=none&${columns}`, '>/<')
    assert.ok(entered.length === 3 && !entered.includes('–'), entered.join())
    const sold = 'metrics=purchases&metrics=average_order&metrics=bounce_rate'
    assert.deepEqual((await cells(`stats/query?dimensions=country&period=7d&compare=none&${sold}`, 'France')).slice(0, 2), ['0', '–'])
    const { data } = await ask('stats_breakdown', { dimension: 'page', period: '7d', compare: 'none' })
    const docs = data.rows.find(({ value }: { value: string }) => value === '/docs')
    assert.deepEqual([docs.entries, docs.bounce_rate, docs.visit_duration, docs.average_order], [0, 0, 0, 0])
  })

  test('the pages of a table say which rows they show, if there are several', async () => {
    const paging = async (query: string): Promise<string | undefined> => {
      const path = `/sites/${world.ids.site}/breakdown/page?period=7d&compare=none${query}`
      const { text } = await request(service, 'GET', path, {
        token: world.shown.session ?? '',
        headers: { Accept: 'text/html', ...ownPage },
      })
      return /<nav class="paging".*?<span>([^<]*)<\/span>/s.exec(text)?.[1]
    }
    assert.deepEqual([await paging(''), await paging('&limit=1'), await paging('&limit=1&page=2')], [undefined, '1–1 of 2', '2–2 of 2'])
  })

  test('a campaign has the currency of its cost', async () => {
    const { data } = await ask('campaigns_create', { name: 'Autumn', utm_campaign: 'autumn', cost_cents: 5_000 })
    assert.equal(data.currency, 'EUR')
    assert.equal((await ask('campaigns_get', { id: data.id })).data.currency, 'EUR')
  })
})
