/** Lists, and reports that are one table, as CSV. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parse } from '../../../tools/csv-parse.mjs'
import { csvOf, csvTableOf, plainCsv } from '../../../adapters/http/csv.ts'
import { table } from '../../../operations/index.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { fill, makeWorld, request, startService, type TestService, tokenOf, type World } from '../../support/world.ts'

test('a cell that begins like a formula, or has commas, quotes or lines, is only text', () => {
  const names = ['=1+1', '+49', '-x', '@me', '\ttab', 'a,b', 'say "hi"', 'two\nlines', '']
  const csv = csvOf(
    { field: 'rows', columns: ['name', 'count', 'never'] },
    { data: { rows: names.map(name => ({ name, count: -1 })) } },
    plainCsv,
  )
  const [head, ...rows] = parse(csv) as string[][]
  assert.deepEqual(head, ['name', 'count'])
  assert.deepEqual(
    rows.map(([name]) => name),
    ["'=1+1", "'+49", "'-x", "'@me", "'\ttab", 'a,b', 'say "hi"', 'two\nlines', ''],
  )
  assert.deepEqual([...new Set(rows.map(([, count]) => count))], ['-1'])
})

onAnyEngine('CSV', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
  })
  after(() => service.close())
  const get = (path: string, headers: Record<string, string> = {}, token: string | undefined = world.token) =>
    request(service, 'GET', path, { token, headers })

  test('every list and every report of one table answers it, by its path and by Accept', async () => {
    let seen = 0
    for (const row of table.operations.values()) {
      const columns = csvTableOf(row)?.columns
      if (!columns || row.access === 'session') continue
      const input = fill(row.examples[0]?.input ?? {}, world)
      const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))
      const query = new URLSearchParams(
        Object.entries(input)
          .filter(([name]) => !Object.hasOwn(row.pathInput, name))
          .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
      )
      const token = tokenOf(world, row)
      const [at, accepted] = [await get(`${path}.csv?${query}`, {}, token), await get(`${path}?${query}`, { Accept: 'text/csv' }, token)]
      assert.equal(at.status, 200, `${row.id}: ${at.text.slice(0, 200)}`)
      assert.match(at.headers.get('content-type') ?? '', /^text\/csv/, row.id)
      assert.match(at.headers.get('content-disposition') ?? '', /^attachment; filename="[\w.-]+\.csv"$/, row.id)
      const [head = [], ...rows] = parse(at.text) as string[][]
      assert.ok(
        head.every(name => columns.includes(name)),
        row.id,
      )
      assert.deepEqual([...new Set(rows.map(each => each.length))], rows.length > 0 ? [head.length] : [], row.id)
      assert.equal(accepted.text, at.text, row.id)
      seen++
    }
    assert.ok(seen > 20, `${seen} tables`)
  })

  test('a series has the points of its comparison in the same rows', async () => {
    const path = `/sites/${world.ids.site}/stats/timeseries`
    const compared = (await get(`${path}?period=7d&compare=previous_period`)).body.data
    const [names = [], ...points] = parse((await get(`${path}.csv?period=7d&compare=previous_period`)).text) as string[][]
    const [at, visitors] = [names.indexOf('comparison.at'), names.indexOf('comparison.visitors')]
    assert.deepEqual(
      points.map(row => [row[at], row[visitors]]),
      compared.comparison.series.map((point: { at: string; visitors: number }) => [point.at, String(point.visitors)]),
    )
  })

  test('a file says its period, filters and notes in lines before the table, if it is asked to', async () => {
    const site = `/sites/${world.ids.site}`
    const filters = JSON.stringify([['page', 'starts_with', '/a,b']])
    const query = `from=2026-03-01&to=2026-03-07&compare=previous_period&filters=${encodeURIComponent(filters)}`
    const [plain, told] = [
      await get(`${site}/breakdown/country.csv?${query}`),
      await get(`${site}/breakdown/country.csv?${query}&about=true&bom=true`),
    ]
    const { data, meta } = (await get(`${site}/breakdown/country?${query}`)).body
    assert.ok(told.text.endsWith(plain.text))
    const about = told.text.slice(0, -plain.text.length).replace(/^\ufeff/, '')
    const facts = parse(about, { relax_column_count: true }) as string[][]
    assert.ok(facts.every(([name = '']) => name.startsWith('# ')))
    const factOf = (name: string) => facts.find(([first]) => first === `# ${name}`)?.slice(1)
    assert.deepEqual(factOf('period'), [data.period.first_day, data.period.last_day])
    assert.deepEqual(JSON.parse(factOf('filters')?.[0] ?? ''), meta.filters)
    assert.deepEqual(factOf('timezone'), [meta.timezone])
    assert.equal(JSON.parse(factOf('comparison')?.[0] ?? '').from, meta.comparison.from)
    assert.deepEqual(
      facts.filter(([name]) => name === '# note').map(([, message]) => message),
      meta.notes.map(({ message }: { message: string }) => message),
    )
    assert.match((await get(`${site}/goals.csv?about=1`)).text, /^# page,1\r\n# per_page,25\r\n# total,\d+\r\n# total_pages,1\r\nid,/)
  })

  test('a byte order mark comes first if it is asked for: in filters, notes, steps of funnels and every other table', async () => {
    const site = `/sites/${world.ids.site}`
    const bytes = async (path: string, headers: Record<string, string> = {}) => {
      const answer = await service.web.request(path, { headers: { Authorization: `Bearer ${world.token}`, ...headers } })
      assert.equal(answer.status, 200, path)
      return Buffer.from(await answer.arrayBuffer())
    }
    for (const path of ['segments', 'notes', 'funnels', 'breakdown/page', 'stats/timeseries', 'goals']) {
      const plain = await bytes(`${site}/${path}.csv`)
      assert.notEqual(plain.subarray(0, 3).toString('hex'), 'efbbbf', path)
      for (const asked of ['?bom=true', '?bom=1'])
        assert.equal((await bytes(`${site}/${path}.csv${asked}`)).toString('hex'), `efbbbf${plain.toString('hex')}`, path)
      assert.deepEqual(await bytes(`${site}/${path}.csv?bom=false`), plain, path)
      assert.equal((await bytes(`${site}/${path}?bom=true`, { Accept: 'text/csv' })).subarray(0, 3).toString('hex'), 'efbbbf', path)
    }
    for (const path of ['notes?about=true', 'notes.csv?about=yes', 'notes?bom=true', 'notes.json?bom=true', 'notes.csv?bom=yes'])
      assert.deepEqual((await get(`${site}/${path}`)).body.error.details[0].code, 'unknown_field', path)
  })

  test('a page offers the file of what it shows, and none while it asks for an input', async () => {
    const page = async (path: string) =>
      (await service.web.request(path, { headers: { Cookie: `session=${world.shown.session}`, Accept: 'text/html' } })).text()
    const site = `/sites/${world.ids.site}/funnels/explore`
    assert.doesNotMatch(await page(site), /explore\.csv/)
    assert.match(await page(`${site}?${new URLSearchParams({ steps: JSON.stringify([{ path: '/' }, { path: '/b' }]) })}`), /explore\.csv/)
  })

  test('secrets have no column, and what is no table has no CSV', async () => {
    assert.doesNotMatch((await get(`/workspaces/${world.ids.workspace}/webhooks.csv`)).text, /secret|whsec_/)
    assert.equal((await get(`/sites/${world.ids.site}/overview.csv`)).status, 404)
    const json = await get(`/sites/${world.ids.site}/overview`, { Accept: 'text/csv' })
    assert.match(json.headers.get('content-type') ?? '', /json/)
    assert.equal((await get('/healthz.csv')).status, 404)
  })

  test('a link of a page is followed with the session; .json with it is refused, and so is CSV without any', async () => {
    const goals = `/sites/${world.ids.site}/goals`
    const session = { Cookie: `session=${world.shown.session ?? ''}` }
    assert.equal((await request(service, 'GET', `${goals}.csv`, { headers: session })).status, 200)
    assert.equal((await request(service, 'GET', `${goals}.json`, { headers: session })).status, 401)
    assert.equal((await request(service, 'GET', `${goals}.csv`)).status, 401)
  })
})
