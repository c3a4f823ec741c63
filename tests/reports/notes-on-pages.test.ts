/** Notes on the pages of reports: about imported history that they include or leave out, and about figures that a filter omits. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Importing, type Site, siteIn, startImporting } from '../exchange/imports/site.ts'
import { onAnyEngine } from '../support/engines.ts'
import { hasPage } from '../../adapters/surfaces.ts'
import { table } from '../../operations/index.ts'
import { filled } from '../../runtime/ui/words.ts'
import { request } from '../support/world.ts'

onAnyEngine('the page of a report', engine => {
  let service: Importing
  let site: Site
  before(async () => {
    service = await startImporting(engine)
    site = await siteIn(service)
    const day = (days: number) => new Date(service.clock.now - days * 86_400_000).toISOString().slice(0, 10)
    const rows = Array.from({ length: 20 }, (_, i) => `${day(i + 5)},4321,4321,4321`)
    const done = await site.load('plausible', 'imported_visitors.csv', ['date,visitors,visits,pageviews', ...rows].join('\n'))
    assert.equal(done.status, 'completed', JSON.stringify(done))
    const { domain } = site.world.ids
    const ip = '203.0.113.7'
    const headers = { 'User-Agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36' }
    for (const more of [{ name: 'pageview' }, { name: 'Purchase', revenue: { currency: 'EUR', amount: 29 } }]) {
      const body = { domain, url: `https://${domain}/?utm_campaign=spring-26`, ip, ...more }
      const sent = await request(service, 'POST', '/api/event', { token: site.world.token, headers, body })
      assert.equal(sent.status, 202, sent.text)
    }
  })
  after(() => service.close())

  const open = async (path: string): Promise<string> => {
    const headers = { Accept: 'text/html' }
    const { status, text } = await request(service, 'GET', `/sites/${site.id}/${path}`, { token: site.world.shown.session, headers })
    assert.equal(status, 200, text)
    return text
  }

  test('includes imported history in the aggregate, says so, and offers to leave it out', async () => {
    const included = await open('stats/aggregate?period=30d')
    assert.match(included, /86,421/)
    assert.match(included, /Includes imported daily totals[^<]*<a[^>]*include_imported=false[^>]*>Leave imported history out/)
    const without = await open('stats/aggregate?period=30d&include_imported=false')
    assert.doesNotMatch(without, /86,421|imported daily totals/)
    assert.match(without, />Include imported history<\/a>/)
  })

  test('says in each panel of the overview that it lacks imported days', async () => {
    const overview = await open('overview?period=30d')
    assert.match(overview, /id="sources"(?:(?!<\/section>).)*Imported daily totals[^<]*not known by Source/s)
    assert.doesNotMatch(await open('overview?period=30d&include_imported=false'), /not known by/)
  })

  test('names a filter that matches nothing as people do', async () => {
    const filters = encodeURIComponent(JSON.stringify([['utm_campaign', 'is', 'nowhere']]))
    const overview = await open(`overview?period=7d&filters=${filters}`)
    assert.match(overview, /<p class="help">Filter 1: nothing on this site has ever matched UTM campaign is &quot;nowhere&quot;/)
    assert.doesNotMatch(overview, /<span class="change">new</, 'averages of nothing are not new')
    assert.match(overview, /Nothing matches the filters in this period/)
  })

  test('leads to the snippet while no hit has arrived', async () => {
    const { id, world } = await siteIn(service)
    for (const report of ['breakdown/source', 'events', 'journeys', 'performance', 'retention', 'insights']) {
      const { text } = await request(service, 'GET', `/sites/${id}/${report}`, {
        token: world.shown.session,
        headers: { Accept: 'text/html' },
      })
      const [link, ...more] = text.matchAll(
        /received no hits yet\.\s*<a href="[^"]*\/tracking\/snippet">Put the snippet on your pages<\/a>/g,
      )
      assert.ok(link && more.length === 0, report)
    }
    assert.doesNotMatch(await open('breakdown/source?period=7d'), /Put the snippet/)
  })

  test('is drawn for every report and list of a site without hits', async () => {
    const { id, world } = await siteIn(service)
    const paths = [...table.operations.values()].flatMap(each =>
      hasPage(each) && Object.keys(each.pathInput).join() === 'site_id' ? filled(each.path, { site_id: id }) : [],
    )
    assert.ok(paths.length > 50, String(paths.length))
    for (const path of paths) {
      const { status } = await request(service, 'GET', path, { token: world.shown.session, headers: { Accept: 'text/html' } })
      assert.equal(status, 200, path)
    }
  })

  test('says on the explorer that totals are left out', async () => {
    assert.match(await open('stats/query?period=30d'), /Imported daily totals[^<]*left out/)
  })

  test('has no conversion of purchases on some days by the visits of all', async () => {
    const conversion = (html: string) => /<span class="name">Conversion<\/span><span class="figure">([^<]*)</.exec(html)?.[1]
    assert.equal(conversion(await open('overview?period=30d')), '–')
    assert.equal(conversion(await open('overview?period=30d&include_imported=false')), '100%')
  })

  test('has no conversion under a filter on an event, which all of the visits have, and no note on the list of a panel', async () => {
    const filtered = (path: string, filter: unknown[]) =>
      open(`${path}?period=today&filters=${encodeURIComponent(JSON.stringify([filter]))}`)
    const bought = await filtered('overview', ['event', 'is', 'Purchase'])
    assert.match(bought, /<span class="name">Purchases<\/span><span class="figure">1</)
    assert.doesNotMatch(bought, /<span class="name">Conversion<|list shows only/)
    assert.match(await filtered('overview', ['utm_campaign', 'is', 'spring-26']), /<span class="name">Conversion</)
    assert.match(await filtered('breakdown/event', ['event', 'is', 'Purchase']), /Event: the list shows only values that match the filter/)
  })

  test('says why the costs of campaigns are omitted under a filter', async () => {
    const filters = encodeURIComponent(JSON.stringify([['device', 'is', 'desktop']]))
    assert.match(
      await open(`campaigns/report?period=30d&filters=${filters}`),
      /<p class="help">[^<]*cost of a campaign[^<_]*omitted with filters/,
    )
    assert.doesNotMatch(await open('campaigns/report?period=30d'), /omitted with filters/)
  })

  test('says notes of every report in the language of the reader', async () => {
    const filters = encodeURIComponent(JSON.stringify([['device', 'is', 'desktop']]))
    const speak = (locale: string) => service.store.write.updateTable('accounts').set({ locale }).execute()
    await speak('de')
    const german = await open(`campaigns/report?period=30d&filters=${filters}`)
    await speak('en')
    assert.match(german, /<p class="help">Die Kosten einer Kampagne/)
    const missing = encodeURIComponent(JSON.stringify([['utm_campaign', 'is', 'nowhere']]))
    const named = await open(`campaigns/report?period=30d&filters=${missing}`)
    assert.match(named, /<p class="help">[^<]*UTM campaign[^<]*nowhere/)
  })

  test('counts the visits without a property, which no hit has, for “(not set)”', async () => {
    const visits = async (operator: string, value: string | string[]) =>
      (await site.get('stats_aggregate', { period: '7d', filters: [['property:plan', operator, value]] })).data.metrics.visits
    const all = (await site.get('stats_aggregate', { period: '7d' })).data.metrics.visits
    assert.ok(all > 0)
    assert.deepEqual(
      [
        await visits('is', '(not set)'),
        await visits('is', ''),
        await visits('any_of', ['pro', '(not set)']),
        await visits('is_not', '(not set)'),
      ],
      [all, all, all, 0],
    )
  })

  test('has in the CSV of a divided series the points of each value', async () => {
    const path = `/sites/${site.id}/stats/timeseries`
    const { data } = await site.get('stats_timeseries', { period: '7d', by: 'device' })
    const { text } = await request(service, 'GET', `${path}.csv?period=7d&by=device`, { token: site.world.token })
    const [head = '', ...lines] = text.trim().split('\r\n')
    assert.match(head, /^value,label,at,partial,/)
    const expected = data.by.rows.flatMap(({ value, series }: { value: string | null; series: { at: string }[] }) =>
      series.map(({ at }) => [value ?? '', at]),
    )
    assert.ok(expected.length > 0)
    assert.deepEqual(
      lines.map(line => [line.split(',')[0], line.split(',')[2]]),
      expected,
    )
  })
})
