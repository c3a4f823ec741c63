/** Files of workspaces that were damaged, or made to do harm: each is refused at the start with a reason, and nothing is stored. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { isFull, someOf } from '../../support/full.ts'
import { makeSite } from '../../support/world.ts'
import { type Importing, siteIn, startImporting, zipOf } from '../imports/site.ts'
import { traffic } from '../traffic.ts'
import { asker, caller, exportedFrom, importedInto, unzipped } from './moves.ts'

type Parts = Record<string, string>

onAnyEngine('a hostile file of a workspace', engine => {
  let service: Importing
  let parts: Parts
  let content: Buffer
  let url: string
  let id: string
  let ask: ReturnType<typeof asker>
  const counted = async () => {
    const { all } = await service.store.read
      .selectFrom('sites')
      .select(({ fn }) => fn.countAll<number>().as('all'))
      .executeTakeFirstOrThrow()
    return Number(all)
  }
  before(async () => {
    const source = await startImporting(engine)
    const site = await siteIn(source)
    assert.equal((await site.load('footfall', 'hits.ndjson', traffic(60, source.clock.now))).status, 'completed')
    content = (await exportedFrom(source, caller(source, site.world))).content
    parts = await unzipped(content)
    await source.close()
    service = await startImporting(engine)
    const world = await makeSite(service)
    ask = asker(service, world)
    const made = await caller(service, world)('workspaces_import', { filename: 'workspace.zip' })
    id = made.id
    url = made.upload_url
  })
  after(() => service.close())

  async function refusalOf(file: Buffer): Promise<string> {
    const before = await counted()
    const put = await service.web.request(url, { method: 'PUT', body: new Uint8Array(file) })
    assert.equal(put.status, 200, await put.text())
    service.clock.now += 60_000 // its rate is limited
    const { status, text, body } = await ask('workspace_imports_start', { id })
    assert.ok(status === 409 || status === 422, `${status} ${text}`)
    assert.equal(await counted(), before)
    return body.error.message
  }
  const changed = async (change: (parts: Parts) => Parts): Promise<string> => refusalOf(await zipOf(change({ ...parts })))
  /** With another value in a column of the first row. */
  function withCell(table: string, name: string, value: unknown): (parts: Parts) => Parts {
    return all => {
      const { columns } = JSON.parse(all['footfall.json'] ?? '')
      const [first = '', ...more] = (all[`${table}.ndjson`] ?? '').split('\n')
      const row = JSON.parse(first).with(columns[table].indexOf(name), value)
      return { ...all, [`${table}.ndjson`]: [JSON.stringify(row), ...more].join('\n') }
    }
  }
  const described = (more: object) => (all: Parts) => ({
    ...all,
    'footfall.json': JSON.stringify({ ...JSON.parse(all['footfall.json'] ?? ''), ...more }),
  })
  /** With another list in the first line of the days that has rows of this table. */
  const withField = (table: string, field: string, to: (values: any) => unknown) => (all: Parts) => {
    const lines = (all['days.ndjson'] ?? '').split('\n')
    const at = lines.findIndex(line => line.includes(`"${table}":{`))
    const line = JSON.parse(lines[at] ?? '')
    line[table][field] = to(line[table][field])
    return { ...all, 'days.ndjson': lines.with(at, JSON.stringify(line)).join('\n') }
  }

  test('is refused if it is another file, cut off, a bomb, or newer', async () => {
    assert.match(await refusalOf(Buffer.from('{"a":1}\n')), /not the file of a workspace/)
    assert.match(await refusalOf(await zipOf({ 'a.csv': 'a,b\n' })), /not the file of a workspace/)
    // Names that lead out of a folder.
    const named = (await zipOf({ 'xx/footfall.json': parts['footfall.json'] ?? '' })).toString('latin1').replaceAll('xx/', '../')
    assert.match(await refusalOf(Buffer.from(named, 'latin1')), /./)
    for (const share of [0.1, 0.5, 0.9, 0.999]) assert.match(await refusalOf(content.subarray(0, Math.floor(content.length * share))), /./)
    assert.match(await changed(all => ({ ...all, 'days.ndjson': `${'0'.repeat(80 * 1024 ** 2)}\n` })), /./)
    assert.match(await changed(all => ({ ...all, 'goals.ndjson': `${'['.repeat(100_000)}\n` })), /damaged at goals/)
    assert.match(await changed(described({ format_version: 2 })), /newer version/)
    assert.match(await changed(described({ schema: '9999-01-01-later' })), /newer version/)
    assert.match(await changed(described({ columns: { sites: 5 } })), /damaged at footfall\.json/)
    // The directory of the zip declares 10 GB.
    const claims = Buffer.from(content)
    const central = claims.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
    claims.writeUInt32LE(0xff_ff_ff_fe, central + 24)
    assert.match(await refusalOf(claims), /./)
  })

  test('is refused if a line is no JSON, is cut off, or has another number of cells', async () => {
    for (const [at, [name, text]] of Object.entries(parts).entries()) {
      if (!name.endsWith('.ndjson') || text === '') continue
      const bads = ['{\n', 'null\n', '[]\n', '"\ud800"\n', text.slice(0, -1)]
      for (const bad of bads.filter((_, i) => isFull || (i + at) % 3 === 0))
        assert.match(await changed(all => ({ ...all, [name]: bad })), /damaged/, `${name} ${bad.slice(0, 20)}`)
    }
  })

  test('is refused for a value of another type in any column', async () => {
    const { columns } = JSON.parse(parts['footfall.json'] ?? '')
    let tried = 0
    for (const [table, names] of Object.entries<string[]>(columns)) {
      if ((parts[`${table}.ndjson`] ?? '') === '') continue
      for (const name of someOf(names, 2)) {
        assert.match(await changed(withCell(table, name, {})), /damaged/, `${table}.${name}`)
        tried++
      }
    }
    assert.ok(tried > (isFull ? 80 : 20), `${tried}`)
    for (const [table, field] of [
      ['visits', 'visit_id'],
      ['visits', 'source'],
      ['hits', 'at'],
      ['hits', 'page'],
    ] as const)
      for (const value of ['x', -1, 2 ** 60])
        assert.match(await changed(withField(table, field, values => values.with(0, value))), /damaged/, `${table}.${field} ${value}`)
  })

  test('is refused for numbers and ids that refer to nothing in it, and for what is there twice', async () => {
    assert.match(await changed(withField('hits', 'page', values => values.with(0, 999_999))), /damaged at days/)
    assert.match(await changed(withField('visits', 'person', values => values.with(0, 77_777))), /damaged at days/)
    assert.match(await changed(withField('hits', 'visit_id', values => values.with(0, 3))), /damaged at days/)
    assert.match(await changed(all => ({ ...all, 'dict.ndjson': '' })), /damaged at days/)
    assert.match(await changed(withCell('dict', 'id', 2 ** 29)), /damaged/)
    assert.match(await changed(withCell('dict', 'site_id', 1_234_567)), /damaged at dict/)
    for (const table of ['goals', 'funnels', 'notes', 'saved_segments'])
      if (parts[`${table}.ndjson`])
        assert.match(await changed(withCell(table, 'site_id', 'pa_0000000000000000')), new RegExp(`damaged at ${table}`))
    assert.match(await changed(all => ({ ...all, 'sites.ndjson': (all['sites.ndjson'] ?? '').repeat(2) })), /damaged/)
    assert.match(await changed(all => ({ ...all, 'dict.ndjson': (all['dict.ndjson'] ?? '').repeat(2) })), /damaged at dict/)
  })

  test('is refused for cards and traits that no operation stores, which reports could not show', async () => {
    const { columns } = JSON.parse(parts['footfall.json'] ?? '')
    const row = (table: string, cells: Record<string, unknown>): Parts => ({
      [`${table}.ndjson`]: `${JSON.stringify(columns[table].map((name: string) => cells[name] ?? 0))}\n`,
    })
    const site = JSON.parse((parts['sites.ndjson'] ?? '').split('\n')[0] ?? '')
    const of = (name: string) => site[columns.sites.indexOf(name)]
    const card = { type: 'breakdown', site_id: of('id'), params: { dimension: 'page' } }
    const dashboard = (cards: unknown[]) =>
      row('dashboards', { id: 'dash_1kkbswhg0500171jnr39syp', name: 'Theirs', cards: JSON.stringify(cards) })
    const unknown = { ...card, params: { dimension: 'anything' } }
    assert.match(await changed(all => ({ ...all, ...dashboard([unknown]) })), /damaged at dashboards/)
    assert.match(await changed(all => ({ ...all, ...dashboard(Array.from({ length: 41 }, () => card)) })), /damaged at dashboards/)
    const person = { site_id: of('number'), person: 77_777, id: 'pn_1kkbswhg0500171jnr39syp', name: null }
    const traits = (value: unknown) => row('persons', { ...person, traits: JSON.stringify({ plan: [value, 1] }) })
    for (const value of [{ a: 1 }, ['x'], null]) assert.match(await changed(all => ({ ...all, ...traits(value) })), /damaged at persons/)
  })

  test('is refused with more sites than one import takes', async () => {
    const [line = ''] = (parts['sites.ndjson'] ?? '').split('\n')
    assert.match(await changed(all => ({ ...all, 'sites.ndjson': `${line}\n`.repeat(100_000) })), /more settings than|damaged|unpacks/)
  })

  test('shows nothing of a site of another workspace, whatever its dashboards name', async () => {
    const [foreign, world] = [await makeSite(service), await makeSite(service)]
    const call = caller(service, world)
    const { columns } = JSON.parse(parts['footfall.json'] ?? '')
    const named = [foreign.ids.site, 'pa_0000000000000000000000'].map(site_id => ({ type: 'metric', site_id, params: {} }))
    const cells: Record<string, unknown> = { id: 'dash_1kkbswhg0500171jnr39syp', name: 'Theirs', cards: JSON.stringify(named) }
    const row = columns.dashboards.map((name: string) => cells[name] ?? 0)
    service.clock.now += 60_000
    const done = await importedInto(service, call, await zipOf({ ...parts, 'dashboards.ndjson': `${JSON.stringify(row)}\n` }))
    assert.equal(done.status, 'completed', JSON.stringify(done))
    const [dashboard] = await call('dashboards_list')
    assert.equal(dashboard.cards.length, 2)
    const asking = asker(service, world)
    const [theirs, unknown] = await Promise.all(['0', '1'].map(index => asking('dashboards_card', { id: dashboard.id, index })))
    const bytes = (text = '') => text.replace(/"request_id":"[^"]*"/, '')
    assert.deepEqual([theirs?.status, bytes(theirs?.text)], [422, bytes(unknown?.text)])
  })
})
