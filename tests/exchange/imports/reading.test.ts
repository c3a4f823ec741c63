/** Reading files, without storing anything. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from '../../support/properties.ts'
import { csvRecords } from '../../../operations/exchange/imports/csv.ts'
import { csvRows } from '../../../operations/exchange/imports/csv-rows.ts'
import { fields, parseMap, unreadColumns } from '../../../operations/exchange/imports/fields.ts'
import { openHitFile, textsOf } from '../../../operations/exchange/imports/hit-file.ts'
import { localTimes } from '../../../operations/exchange/imports/local-times.ts'
import { jsonObjects } from '../../../operations/exchange/imports/json-objects.ts'
import { jsonLines } from '../../../operations/exchange/imports/ndjson.ts'
import { decoded, withoutInvalidLines } from '../../../operations/exchange/imports/utf8.ts'
import { hitReader } from '../../../operations/exchange/imports/read-hit.ts'
import type { Recorded } from '../../../operations/exchange/imports/record.ts'

const site = {
  number: 1,
  timezone: 'Europe/Berlin',
  currency: 'EUR',
  domain: 'example.com',
  pageParameters: ['id', 'p'],
  ignoring: { hosts: new Set(['example.com']), ignoresKnown: true },
}
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'
const nowhere = { country: '', region: '', city: '' }
const reader = (map = {}, zone = 'UTC') =>
  hitReader(site, { map, zone, placeOf: ip => (ip === '' ? nowhere : { country: 'FR', region: 'FR-75', city: 'Paris' }) })

/** Splits the text into pieces of every size. */
async function* pieces(text: string, size: number): AsyncGenerator<string> {
  for (let i = 0; i < text.length; i += size) yield text.slice(i, i + size)
}
async function all(records: AsyncIterable<Recorded[]>): Promise<Recorded[]> {
  const found: Recorded[] = []
  for await (const some of records) found.push(...some)
  return found
}
const csv = (text: string, size = text.length, skip = 0, delimiter?: string) =>
  all(csvRecords(pieces(text, size), { delimiter, skip, onHeader() {} }))
const ndjson = (text: string, size = text.length, skip = 0) => all(jsonLines(pieces(text, size), skip))

test('JSON lines: blank lines are ignored, and a value that is not an object is refused with its line', async () => {
  const text = '{"a":1}\n\n{"a":\r\n  \n[1]\n"x"\n{"a":"ü\\n"}\r\n{"a":2}'
  const expected = [
    { line: 1, record: { a: 1 } },
    { line: 3, fault: 'the line is not JSON', text: '{"a":\r' },
    { line: 5, fault: 'the line must be a JSON object', text: '[1]' },
    { line: 6, fault: 'the line must be a JSON object', text: '"x"' },
    { line: 7, record: { a: 'ü\n' } },
    { line: 8, record: { a: 2 } },
  ]
  for (const size of [1, 2, 3, 7, text.length]) assert.deepEqual(await ndjson(text, size), expected)
  for (let skip = 0; skip <= 6; skip++) assert.deepEqual(await ndjson(text, 5, skip), expected.slice(skip))
})

test('blank lines before the header of a CSV are read as they come, however many there are', async () => {
  async function* blankFirst(): AsyncGenerator<string> {
    for (let i = 0; i < 4; i++) yield '\n'.repeat(50_000)
    yield 'a,b\n1,2\n'
  }
  const lengths: number[] = []
  for await (const rows of csvRows(blankFirst())) lengths.push(rows.length)
  assert.deepEqual(lengths, [0, 100_000, 50_000, 50_000, 2, 0])
})

test('JSON that nests deep costs its line, before anything follows it down', async () => {
  const nested = (levels: number) => `{"a":"[[${'x'.repeat(2_000)}","b":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
  const lines = [nested(48), nested(49), nested(30_000), '{"a":1}']
  const expected = [
    [1, undefined],
    [2, 'this nests deeper than 48 levels'],
    [3, 'this nests deeper than 48 levels'],
    [4, undefined],
  ]
  const told = (found: readonly Recorded[]) => found.map(each => [each.line, 'fault' in each ? each.fault : undefined])
  assert.deepEqual(told(await ndjson(lines.join('\n'))), expected)
  assert.deepEqual(told(await all(jsonObjects(pieces(`[${lines.join(',\n')}]`, 70_000), 0))), expected)
})

test('JSON lines: a line without end is refused once, and the next is read', async () => {
  const text = `{"a":1}\n{"a":"${'x'.repeat(200_000)}"}\n{"a":3}\n`
  for (const size of [1000, 65_536, text.length]) {
    const found = await ndjson(text, size)
    assert.deepEqual(
      found.map(({ line }) => line),
      [1, 2, 3],
    )
    assert.deepEqual(
      found.map(each => 'record' in each),
      [true, false, true],
    )
  }
})

test('CSV: quotes, commas, line ends and quotes within quotes', async () => {
  const text = 'a,b\n1,"x, ""y""\nz"\r\n\n2,plain\n3\n4,5,6\n"7",""\n'
  const expected = [
    { line: 2, record: { a: '1', b: 'x, "y"\nz' } },
    { line: 5, record: { a: '2', b: 'plain' } },
    { line: 6, fault: 'the record has 1 fields, the header 2', text: '3' },
    { line: 7, fault: 'the record has 3 fields, the header 2', text: '4,5,6' },
    { line: 8, record: { a: '7', b: '' } },
  ]
  for (const size of [1, 3, text.length]) assert.deepEqual(await csv(text, size), expected)
  for (let skip = 0; skip <= 5; skip++) assert.deepEqual(await csv(text, 4, skip), expected.slice(skip))
  assert.deepEqual(await csv('a;b\n1;2\n', 9, 0, ';'), [{ line: 2, record: { a: '1', b: '2' } }])
})

test('CSV: the header says what separates the fields: a comma, otherwise a semicolon or a tab', async () => {
  const texts: ReadonlyArray<readonly [text: string, columns: readonly string[]]> = [
    ['\n a;"b, c";d\r\n1;"2;,";3\n', ['a', 'b, c', 'd']],
    ['a\tb;c\n1\t2\n', ['a\tb', 'c']],
    ['a\tb\n1\t2\n', ['a', 'b']],
    ['a;b,c\n1,2\n', ['a;b', 'c']],
    ['a\n1;2\n', ['a']],
    ['a;b', ['a', 'b']],
  ]
  for (const [text, columns] of texts) {
    for (const size of [1, 5, text.length]) {
      const found: string[][] = []
      await all(csvRecords(pieces(text, size), { skip: 0, onHeader: names => found.push([...names]) }))
      assert.deepEqual(found, [columns], text)
    }
  }
  assert.deepEqual(await csv('a;b\n1;"2;,"\n'), [{ line: 2, record: { a: '1', b: '2;,' } }])
})

test('a file in UTF-16 with its mark is read as text, in pieces of every size', async () => {
  const text = 'a,b\r\n"é\n😀",2\n'
  const little = Buffer.from(`\ufeff${text}`, 'utf16le')
  const parts = async function* (bytes: Buffer, size: number) {
    for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
  }
  for (const bytes of [little, Buffer.from(little).swap16(), Buffer.from(text), Buffer.from(`\ufeff${text}`)]) {
    for (const size of [1, 2, 3, 5, bytes.length]) {
      const invalid = new Set<number>()
      const found: string[] = []
      for await (const piece of decoded(parts(bytes, size), invalid)) found.push(piece)
      assert.deepEqual([found.join(''), invalid.size], [text, 0])
    }
  }
  for (const short of ['', 'a']) {
    let found = ''
    for await (const piece of decoded(parts(Buffer.from(short), 1))) found += piece
    assert.equal(found, short)
  }
})

test('a file whose lines end in carriage returns is read line by line, in pieces of every size', async () => {
  const parts = async function* (bytes: Buffer, size: number) {
    for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
  }
  const read = async (content: Buffer, size: number) => {
    const invalid = new Set<number>()
    let found = ''
    for await (const piece of decoded(parts(content, size), invalid)) found += piece
    return [found, ...invalid]
  }
  const text = '\r"a\n1",b\ré,"2\n3"\r4,5\r'
  const long = `a,b\r${'1,2\r'.repeat(40_000)}`
  for (const size of [1, 2, 3, text.length]) {
    for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`, 'utf16le')])
      assert.deepEqual(await read(bytes, size), ['\n"a\n1",b\né,"2\n3"\n4,5\n'])
    // Carriage returns of other files stay.
    for (const other of ['"a\r1",b\r\n1,2\r\n', 'a\r,b\n1,2\n', 'a,b\r\n', '"a\r"'])
      assert.deepEqual(await read(Buffer.from(other), size), [other])
  }
  assert.deepEqual(await read(Buffer.from(long), 50_000), [long.replaceAll('\r', '\n')])
  assert.deepEqual(await read(Buffer.from('a\r1\r\xe9\r', 'latin1'), 50), ['a\n1\n\ufffd\n', 3])
})

test('CSV: a header without an end is refused before more is read than a record may have', async () => {
  await assert.rejects(csv(`a;b${'x'.repeat(300_000)}\n1;2\n`, 1_000), /The header cannot be read: the record is longer/)
})

test('CSV: a stray quote is an ordinary character at any place', async () => {
  const text = 'a,b\n1,2\n3,"x"y\n5,6\n7,8"\n9,{"x":1}\n'
  for (const size of [1, 4, text.length]) {
    const found = await csv(text, size)
    assert.deepEqual(
      found.map(each => ('record' in each ? each.record : each)),
      [
        { a: '1', b: '2' },
        { a: '3', b: '"x"y' },
        { a: '5', b: '6' },
        { a: '7', b: '8"' },
        { a: '9', b: '{"x":1}' },
      ],
    )
  }
})

test('CSV: quotes that close nothing stay as they are, and pieces that are equal are read alike', async () => {
  const line = '"a""b"c,"x""y"\n'
  const expected = Array.from({ length: 6 }, (_, i) => ({ line: i + 2, record: { a: '"a""b"c', b: 'x"y' } }))
  assert.deepEqual(await csv(`a,b\n${line.repeat(6)}`, line.length), expected)
  const mixed = '1,2\n"3",4\n'
  const found = await csv(`${mixed}${mixed.repeat(5)}`, mixed.length)
  assert.deepEqual(
    found.map(each => 'record' in each && Object.values(each.record)),
    [
      ['3', '4'],
      ...Array.from({ length: 5 }, () => [
        ['1', '2'],
        ['3', '4'],
      ]).flat(),
    ],
  )
})

test('CSV: a quote that is never closed costs its line, and what follows is read', async () => {
  const text = 'a,b\n1,2\n3,"open\n4,5\n6,"x"\n"""7""\n","8"\n9,10\n'
  for (const size of [1, 4, text.length]) {
    assert.deepEqual(await csv(text, size), [
      { line: 2, record: { a: '1', b: '2' } },
      { line: 3, fault: 'a quote is never closed' },
      { line: 4, record: { a: '4', b: '5' } },
      { line: 5, record: { a: '6', b: 'x' } },
      { line: 6, record: { a: '"7"\n', b: '8' } },
      { line: 8, record: { a: '9', b: '10' } },
    ])
  }
  const open = await csv(`a,b\n1,2\n3,"open\n${'4,5\n'.repeat(50_000)}6,7\n`, 10_000)
  assert.deepEqual(open.slice(0, 3), [
    { line: 2, record: { a: '1', b: '2' } },
    { line: 3, fault: 'the record is longer than 65536 characters: a quote may not be closed' },
    { line: 4, record: { a: '4', b: '5' } },
  ])
  assert.equal(open.length, 50_003)
  assert.deepEqual(await csv('a,b\n1,"2'), [{ line: 2, fault: 'a quote is never closed' }])
})

test('CSV: a record over several lines is refused with all of them', async () => {
  assert.deepEqual(await csv('a,b\r\n1,"x\r\ny\r\n",3\r\n4,5\r\n'), [
    { line: 2, fault: 'lines 2 to 4: the record has 3 fields, the header 2', text: '1,x\r\ny\r\n,3' },
    { line: 5, record: { a: '4', b: '5' } },
  ])
})

test('CSV: a record without end is refused once, and the next is read', async () => {
  const long = `a,b\n1,${'x,"'.repeat(70_000)}\n3,4\n`
  for (const size of [1000, 30_000, 65_537, long.length]) {
    assert.deepEqual(
      (await csv(long, size)).map(each => ('record' in each ? each.record : each.line)),
      [2, { a: '3', b: '4' }],
    )
  }
  for (const endless of [','.repeat(1_000_000), `"${'x'.repeat(1_000_000)}`, 'ü'.repeat(65_537)]) {
    assert.deepEqual(await csv(`a,b\n${endless}\n3,4\n`, 100_000), [
      { line: 2, fault: 'the record is longer than 65536 characters' },
      { line: 3, record: { a: '3', b: '4' } },
    ])
  }
  assert.deepEqual(await csv(`a,b\n1,${'ü'.repeat(65_000)}\n`), [{ line: 2, record: { a: '1', b: 'ü'.repeat(65_000) } }])
})

test('CSV: of any text each line is in one row, wherever it is cut and from wherever it is read on', async () => {
  const parts = fc.constantFrom('"', '""', ',', '\n', '\r\n', '\r', 'x', 'yz', ' ', 'ü')
  await fc.assert(
    fc.asyncProperty(fc.array(parts, { maxLength: 60 }), fc.nat(9), fc.nat(5), async (found, less, skip) => {
      const text = `a,b\n${found.join('')}`
      const whole = await csv(text).catch(String)
      const parted = await csv(text, less + 1, skip).catch(String)
      assert.deepEqual(parted, typeof whole === 'string' ? whole : whole.slice(skip))
      let line = 1
      for await (const rows of csvRows(pieces(text, less + 1), ',')) {
        for (const row of rows) {
          assert.equal(row.line, line)
          line += 'lines' in row ? row.lines : 1
        }
      }
      assert.equal(line, text.split('\n').length + (text.endsWith('\n') ? 0 : 1))
    }),
    { numRuns: 300 },
  )
})

test('CSV: an unusable header stops the run before it begins', async () => {
  await assert.rejects(csv(''), /empty/)
  await assert.rejects(csv('a,b,a\n1,2,3\n'), /column “a” twice/)
  const header = (columns: string[], map = '') => unreadColumns(columns, parseMap(map))
  assert.deepEqual(header(['url', 'timestamp', 'visitor', 'event', 'shoe_size']), ['shoe_size'])
  assert.deepEqual(header(['page', 'time', 'ip', 'user_agent'], 'url=page, timestamp=time'), [])
  assert.throws(() => header(['url', 'when', 'visitor']), /needs columns for timestamp; it has url, when, visitor/)
  assert.throws(() => header(['url', 'timestamp', 'ip']), /visitor \(or ip and user_agent\)/)
  assert.throws(() => header(['url', 'timestamp', 'visitor'], 'url=pgae'), /no column pgae/)
  assert.throws(() => parseMap('adress=url'), /received "adress=url". Fields: timestamp, url/)
})

test('a file: its name says what it is, its content what it is called by', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'footfall-import-'))
  const file = (name: string, content: string | Buffer) => {
    writeFileSync(path.join(folder, name), content)
    return path.join(folder, name)
  }
  const text = '\ufeff{"a":"ü"}\n'
  const plain = await openHitFile(file('a.ndjson', text), {})
  const zipped = await openHitFile(file('b.jsonl.gz', gzipSync(text)), {})
  assert.equal(plain.fingerprint, zipped.fingerprint)
  assert.deepEqual([plain.format, plain.zipped, zipped.format, zipped.zipped], ['ndjson', false, 'ndjson', true])
  for (const each of [plain, zipped]) {
    let read = 0
    assert.deepEqual(
      await all(
        jsonLines(
          textsOf(each, at => {
            read = at
          }),
          0,
        ),
      ),
      [{ line: 1, record: { a: 'ü' } }],
    )
    assert.equal(read, each.bytes)
  }
  assert.equal((await openHitFile(file('c.tsv', 'a\tb\n'), {})).delimiter, '\t')
  await assert.rejects(openHitFile(file('d.txt', text), {}), /add --format/)
  await assert.rejects(openHitFile(path.join(folder, 'none.csv'), {}), /cannot be read: ENOENT/)
  const whole = gzipSync('x'.repeat(100_000))
  await assert.rejects(openHitFile(file('cut.csv.gz', whole.subarray(0, whole.length - 20)), {}), /cannot be read: unexpected end of file/)
  rmSync(folder, { recursive: true, force: true })
})

test('a line that is not UTF-8 is refused, wherever the file is cut; a replacement character is valid', async () => {
  const bytes = Buffer.concat([
    Buffer.from('\ufeffa,b\nü,1\n'),
    Buffer.from('caf\xe9,2\n', 'latin1'),
    Buffer.from('\ufffd,3\n€,4\n'),
    Buffer.from([0xc3]),
    Buffer.from(',5\n😀,6'),
  ])
  async function* parts(size: number) {
    for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size)
  }
  for (const size of [1, 2, 3, 5, bytes.length]) {
    const invalid = new Set<number>()
    const records = withoutInvalidLines(csvRecords(decoded(parts(size), invalid), { skip: 0, onHeader() {} }), invalid)
    const found: unknown[] = []
    for await (const piece of records) for (const each of piece) found.push('record' in each ? each.record.a : [each.line, each.fault])
    assert.deepEqual(found, ['ü', [3, 'the line is not UTF-8'], '\ufffd', '€', [6, 'the line is not UTF-8'], '😀'], `${size}`)
  }
})

test('a line of any length is cut between characters', async () => {
  const line = `x${'😀'.repeat(200_000)}`
  async function* parts() {
    for (let i = 0; i < bytes.length; i += 65_536) yield bytes.subarray(i, i + 65_536)
  }
  const bytes = Buffer.from(line)
  const invalid = new Set<number>()
  let text = ''
  for await (const piece of decoded(parts(), invalid)) text += piece
  assert.ok(text === line)
  assert.deepEqual([...invalid], [])
})

test('times: with an offset they are what they say, without one they are of the zone that was named', () => {
  const at = (zone: string, sent: unknown) => {
    const result = reader({}, zone)({ url: '/', visitor: 'v', timestamp: sent })
    return 'hits' in result ? new Date(result.hits[0].at).toISOString() : result.fault
  }
  for (const [zone, sent, expected] of [
    ['UTC', '2026-03-01T12:00:00Z', '2026-03-01T12:00:00.000Z'],
    ['Europe/Berlin', '2026-03-01T12:00:00Z', '2026-03-01T12:00:00.000Z'],
    ['Europe/Berlin', '2026-03-01T12:00:00-05:00', '2026-03-01T17:00:00.000Z'],
    ['Europe/Berlin', '2026-03-01 12:00:00+00', '2026-03-01T12:00:00.000Z'],
    ['Europe/Berlin', '2026-03-01 12:00:00 UTC', '2026-03-01T12:00:00.000Z'],
    ['UTC', '2026-03-01 12:00:00', '2026-03-01T12:00:00.000Z'],
    ['Europe/Berlin', '2026-03-01 12:00:00.25', '2026-03-01T11:00:00.250Z'],
    ['Europe/Berlin', '2026-07-01T12:34', '2026-07-01T10:34:00.000Z'],
    ['Europe/Berlin', '2026-07-01', '2026-06-30T22:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29 02:30:00', '2026-03-29T01:30:00.000Z'], // skipped by the clock
    ['Europe/Berlin', '2026-10-25 02:30:00', '2026-10-25T00:30:00.000Z'], // shown twice
    ['Asia/Kathmandu', '2026-03-01 12:59:59', '2026-03-01T07:14:59.000Z'],
    ['UTC', 1_772_366_400, '2026-03-01T12:00:00.000Z'],
    ['UTC', '1772366400123', '2026-03-01T12:00:00.123Z'],
    ['UTC', '1999-12-31 23:59:59', '1999-12-31T23:59:59.000Z'],
    ['UTC', '2026-02-30 12:00:00', 'timestamp must be ISO 8601, or epoch seconds or milliseconds'],
    ['UTC', '2026-02-01 12:61:00', 'timestamp must be ISO 8601, or epoch seconds or milliseconds'],
    ['UTC', 'yesterday', 'timestamp must be ISO 8601, or epoch seconds or milliseconds'],
    ['UTC', '', 'timestamp is required'],
  ] as const)
    assert.equal(at(zone, sent), expected, `${zone} ${sent}`)
  assert.equal(localTimes('UTC')(undefined), undefined)
})

test('a record says what a sent hit says, and places and browsers that only a file knows', () => {
  const result = reader({ url: 'page' })({
    event: 'Buy',
    page: 'https://www.example.com/cart?utm_source=old',
    timestamp: '2026-03-01T12:00:00Z',
    visitor: 42,
    referrer: 'https://news.ycombinator.com/item?id=1',
    utm_source: 'news',
    utm_medium: 'email',
    country: 'de',
    region: 'DE-BE',
    city: 'Berlin',
    browser: 'Lynx',
    browser_version: 2,
    os: 'Linux',
    device: 'Laptop',
    screen: '1920x1080',
    language: 'de-DE',
    props: '{"plan":"pro","seats":5}',
    revenue: '12.5',
    interactive: 'FALSE',
  })
  assert.ok('hits' in result)
  const [hit] = result.hits
  assert.equal(result.hits.length, 1)
  const { browser, browser_version, os, device, country, region, city, utm_source, channel, source, referrer, language, hostname } =
    hit.visit
  assert.deepEqual([hit.kind, hit.event, hit.page, hit.revenue, hit.interactive], ['event', 'Buy', '/cart', 1250, false])
  assert.deepEqual(hit.props, [
    ['plan', 'pro', null],
    ['seats', '5', 5],
  ])
  assert.deepEqual(
    [browser, browser_version, os, device, country, region, city],
    ['Lynx', '2', 'Linux', 'desktop', 'DE', 'DE-BE', 'Berlin'],
  )
  assert.deepEqual(
    [utm_source, channel, source, referrer, language, hostname],
    ['news', 'Email', 'news', 'news.ycombinator.com/item', 'de', 'example.com'],
  )
  assert.deepEqual(hit.identity, { ip: 'visitor', userAgent: '42' })
})

test('address and user agent say who it was and where from', () => {
  const result = reader()({ url: '/a', timestamp: 1_772_366_400, ip: '203.0.113.7', user_agent: firefox, country: 'Atlantis' })
  assert.ok('hits' in result)
  const { country, city, browser, os, hostname } = result.hits[0].visit
  assert.deepEqual([country, city, browser, os, hostname], ['FR', 'Paris', 'Firefox', 'Linux', 'example.com'])
  assert.deepEqual(result.hits[0].identity, { ip: '203.0.113.7', userAgent: firefox })
})

test('a pageview may say what was measured of it; vitals and clicks have records of their own', () => {
  const read = (record: object) => {
    const result = reader()({ url: '/', visitor: 'v', timestamp: 1_772_366_400, ...record })
    return 'hits' in result
      ? result.hits.map(({ kind, scroll, engagedMs, vitals, clicks }) => ({ kind, scroll, engagedMs, vitals, clicks }))
      : result.fault
  }
  const nothing = { scroll: 0, engagedMs: 0, vitals: {}, clicks: [] }
  assert.deepEqual(read({ scroll: '80', engaged_ms: 1200, vitals: { lcp: 900 } }), [
    { ...nothing, kind: 'pageview', scroll: 80, engagedMs: 1200 },
    { ...nothing, kind: 'vitals', vitals: { lcp: 900 } },
  ])
  assert.deepEqual(read({ name: 'vitals', vitals: '{"cls":0.1}' }), [{ ...nothing, kind: 'vitals', vitals: { cls: 0.1 } }])
  assert.deepEqual(read({ name: 'click', clicks: '[{"s":"a","x":1,"y":2}]' }), [
    { ...nothing, kind: 'clicks', clicks: [{ selector: 'a', x: 1, y: 2 }] },
  ])
  assert.equal(read({ name: 'engagement' }), 'engagement must have sd, a percentage, or e, milliseconds')
})

test('all missing fields of a record are named at once', () => {
  const fault = (record: object) => {
    const result = reader()({ ...record })
    return 'fault' in result ? result.fault : 'none'
  }
  assert.equal(fault({}), 'url is required; timestamp is required; visitor is required, or ip and user_agent')
  assert.equal(fault({ url: '/', timestamp: 1, ip: '203.0.113.7' }), 'visitor is required, or ip and user_agent')
  assert.equal(fault({ url: '/', timestamp: 1, ip: 'x', user_agent: firefox }), 'ip must be an IPv4 or IPv6 address')
  assert.equal(fault({ url: '/', timestamp: 1, ip: '203.0.113.7', user_agent: 'Googlebot/2.1' }), 'the user agent is a bot’s')
  assert.equal(
    fault({ url: 'data:x', timestamp: 1, visitor: 'v', name: 'x'.repeat(200) }),
    'name must be at most 120 characters; url must not be a data: URL',
  )
})

test('the documentation lists every field', () => {
  const doc = readFileSync('docs/import.md', 'utf8')
  const table = Object.entries(fields)
    .map(([name, { description }]) => `| \`${name}\` | ${description} |`)
    .join('\n')
  const [, listed] = /<!-- fields -->\n\| field \| \|\n\|---\|---\|\n([^]*?)\n<!-- \/fields -->/.exec(doc) ?? []
  assert.equal(listed, table)
})
