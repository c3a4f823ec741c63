/**
 * Files in the form of each source that were damaged, or made to do harm: an import ends, as completed or with a reason that
 * says what is wrong, each refused line has its own, and the good line next to it is imported if the file can be read at all.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { onAnyEngine } from '../../support/engines.ts'
import { isFull } from '../../support/full.ts'
import { type Importing, type Site, siteIn, startImporting, zipOf } from './site.ts'

/** Texts in place of a field. */
const values = ['', '-1', '1e309', '0x10', 'NaN', '9'.repeat(400), '=1+1', '\ud800', 'a\0b', '__proto__', '9999-99-99', '+275760-09-13']
/** Names that every object has. */
const inherited = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']
/** JSON in the place of a field. */
const odd: readonly unknown[] = [null, true, [], {}, [[]], -1, 1e300, '', '\ud800', 'a\0b', '__proto__', ...inherited, { __proto__: 1 }]

interface Hostile {
  readonly source: string
  readonly name: string
  /** Lines whose last is good. */
  readonly lines: readonly string[]
  /** Puts the lines into the upload. */
  readonly packed?: (content: string) => Promise<Buffer>
}

const csv = (source: string, name: string, header: string, good: string, packed?: Hostile['packed']): Hostile => {
  const [columns, fields] = [header.split(','), good.split(',')]
  const bad = columns.flatMap((_, at) => values.map(value => [...fields.with(at, `"${value}"`), ...inherited].join(',')))
  const columnsToo = [...columns, ...inherited].join(',')
  return {
    source,
    name,
    lines: [columnsToo, ...bad, ',,,,', '"', ',x'.repeat(5_000), [...fields, ...inherited].join(',')],
    ...(packed && { packed }),
  }
}
const json = (source: string, name: string, good: Record<string, unknown>, packed?: Hostile['packed']): Hostile => {
  const bad = Object.keys(good).flatMap(key => odd.map(value => JSON.stringify({ ...good, [key]: value })))
  const more = [JSON.stringify(Object.fromEntries(inherited.map(name => [name, name]))), '{"__proto__":{"url":"/"}}', '[]', '"', 'null']
  return { source, name, lines: [...bad, ...more, JSON.stringify(good)], ...(packed && { packed }) }
}

const at = '2025-03-02T10:00:00Z'
const action = { type: 'action', url: 'https://example.com/', timestamp: 1_740_909_600 }
const params = [{ key: 'page_location', value: { string_value: 'https://example.com/' } }]
const goat = (content: string) =>
  zipOf({
    'info.json': '{"export_version":"1.0"}',
    'paths.jsonl': `{"id":1,"path":"/"}\n${odd.map(id => JSON.stringify({ id, path: id, event: id })).join('\n')}`,
    'hit_stats.jsonl': content,
    'constructor.jsonl': content,
  })

const files: readonly Hostile[] = [
  json('footfall', 'hits.ndjson', { timestamp: at, url: '/', visitor: 'v', name: 'pageview', props: { a: 1 }, revenue: 1, screen: '1x1' }),
  csv('footfall', 'hits.csv', 'timestamp,url,visitor,props,revenue,country', `${at},/,v,,,DE`),
  csv('plausible', 'imported_pages.csv', 'date,hostname,page,visitors,pageviews', '2025-03-02,a,/,1,2'),
  csv('ga4_report', 'imported_visitors.csv', 'date,visitors,pageviews,bounces', '2025-03-03,1,2,0'),
  csv('fathom', 'pages.csv', 'datetime,hostname,pathname,pageviews', '2025-03-04 10:00:00,https://a,/,2'),
  csv('umami', 'website_event.csv', 'session_id,url_path,event_type,event_name,created_at', 's,/,1,,2025-03-02 10:00:00'),
  csv('simple_analytics', 'points.csv', 'added_iso,datapoint,session_id,path', `${at},pageview,s,/`),
  csv('goatcounter_csv', 'export.csv', '2Path,Event,Session,Date,Location', `/,false,s,${at},US-TX`, async text => gzipSync(text)),
  json('goatcounter_json', 'export.zip', { hour: '2025-03-05 10:00:00', path_id: 1, ref_id: 1, count: 3 }, goat),
  json('matomo', 'visits.json', { visitorId: 'v', countryCode: 'de', actionDetails: [action] }),
  json(
    'matomo',
    'actions.json',
    { type: 'action', url: 'https://example.com/', timestamp: 1_740_909_600, eventCategory: 'a' },
    async text =>
      Buffer.from(
        text
          .split('\n')
          .map(each => `{"visitorId":"v","actionDetails":[${each.startsWith('{') ? each : '0'}]}`)
          .join('\n'),
      ),
  ),
  json('ga4_bigquery', 'events.ndjson', {
    event_name: 'page_view',
    event_timestamp: 1.74e15,
    user_pseudo_id: 'v',
    event_params: params,
    geo: {},
  }),
]

onAnyEngine('a hostile file', engine => {
  let service: Importing
  before(async () => {
    service = await startImporting(engine)
  })
  after(() => service.close())

  async function ends(
    site: Site,
    { source, name }: Hostile,
    content: Buffer,
  ): Promise<{ readonly taken: number; readonly status: string }> {
    const id = await site.upload(source, name, content)
    const started = await site.ask('imports_start', { id })
    assert.ok([200, 422].includes(started.status), `${started.status} ${started.text}`)
    if (started.status === 422) {
      assert.ok(started.body.error.message.length > 10)
      await site.get('imports_cancel', { id })
      return { taken: 0, status: 'refused' }
    }
    await service.run()
    const { data } = await site.get('imports_get', { id })
    assert.ok(['completed', 'failed'].includes(data.status), JSON.stringify(data))
    assert.notEqual(data.error?.code, 'internal_error', JSON.stringify(data))
    assert.notEqual(data.error?.message, '')
    const refused = (await site.get('imports_refused_list', { id, per_page: 100 })).data
    for (const { line, reason } of refused) assert.ok(line > 0 && reason.length > 3, JSON.stringify({ line, reason }))
    await site.ask('imports_delete', { id }) // unless its days hold what another has left, which is refused
    return { taken: data.rows_taken, status: data.status }
  }

  for (const [at, file] of files.entries()) {
    const pack = file.packed ?? (async (text: string) => Buffer.from(text))
    test(`of ${file.source}, ${file.name}: odd fields cost their lines`, async t => {
      const { taken, status } = await ends(await siteIn(service), file, await pack(file.lines.join('\n')))
      assert.equal(status, 'completed')
      assert.ok(taken > 0 && taken < file.lines.length)
      t.diagnostic(`${taken} of ${file.lines.length} lines were taken`)
    })

    test(`of ${file.source}, ${file.name}: damage is reported, or its lines are refused`, async () => {
      const site = await siteIn(service)
      const [header = '', good = ''] = [file.lines[0], file.lines.at(-1)]
      const text = header.startsWith('{') ? good : `${header}\n${good}`
      const whole = await pack(text)
      const damaged = [
        Buffer.alloc(0),
        Buffer.from('\ufeff'),
        Buffer.from(text, 'utf16le'),
        whole.subarray(0, Math.floor(whole.length * 0.7)),
        Buffer.concat([whole, Buffer.from([0xff, 0xfe, 0x00, 0x80])]),
        Buffer.concat([Buffer.from([0x1f, 0x8b, 0x08]), whole]),
        Buffer.concat([Buffer.from('PK\x03\x04'), whole]),
        Buffer.concat([Buffer.from('PAR1'), whole, Buffer.from('\xff\xff\xff\x7fPAR1', 'latin1')]),
        await pack(text.replaceAll('\n', '\r')),
        await pack(text.replaceAll(/[,:]/g, ';')),
      ]
      for (const content of damaged.filter((_, i) => isFull || (i + at) % 3 === 0)) await ends(site, file, content)
    })
  }
})
