/** Everything that an import leaves out is named with its reason and with how often it occurs. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limited, withOmissions } from '../../../operations/exchange/imports/left-out.ts'
import { onEachEngine } from '../../support/engines.ts'
import { type Importing, type Site, siteIn, startImporting } from './site.ts'

test('A row counts once for each omission, and further names share one entry', () => {
  const first = withOmissions([{ what: 'Title', why: 'unused', rows: 0 }], [[{ what: 'Title', why: 'unused' }], []])
  assert.deepEqual(first, [{ what: 'Title', why: 'unused', rows: 1 }])
  const twice = [
    { what: 'Bot', why: 'a bot' },
    { what: 'Bot', why: 'a bot' },
    { what: 'Bot', why: 'another reason' },
  ]
  assert.deepEqual(withOmissions(first, [twice]), [
    { what: 'Title', why: 'unused', rows: 1 },
    { what: 'Bot', why: 'a bot', rows: 1 },
    { what: 'Bot', why: 'another reason', rows: 1 },
  ])
  const many = Array.from({ length: 500 }, (_, i) => [{ what: `field ${i}`.padEnd(300, 'x'), why: 'unknown' }])
  const found = withOmissions([], many)
  assert.equal(found.length, 200)
  assert.deepEqual([found[199]?.what, found[199]?.rows], ['…', 301])
  assert.ok(found.every(({ what }) => what.length <= 100))
  assert.deepEqual(
    found,
    many.reduce((so, row) => withOmissions(so, [row]), withOmissions([], [])),
  )
})

test('A file has at most 200 entries, with names and reasons of limited length', () => {
  const files = Array.from({ length: 300 }, (_, i) => ({ what: `file ${i}`, why: 'no report', rows: null }))
  assert.deepEqual(limited(files.slice(0, 200)), files.slice(0, 200))
  const kept = limited(files)
  assert.deepEqual([kept.length, kept.at(-1)?.what, kept.at(-1)?.rows], [200, '…', null])
  const [left] = withOmissions([], [[{ what: `${'x'.repeat(99)}\u{1f600}`, why: 'y'.repeat(10_000) }]])
  assert.deepEqual([left?.what, String(left?.why).length], ['x'.repeat(99), 500])
})

onEachEngine('An import', engine => {
  let service: Importing
  let site: Site
  before(async () => {
    service = await startImporting(engine)
    site = await siteIn(service)
  })
  after(() => service.close())
  const named = (ignored: readonly { what: string; rows: number | null }[]) => ignored.map(({ what, rows }) => [what, rows])

  test('names columns that it does not read, with the rows that have a value, in a dry run as well', async () => {
    const csv = [
      '2Path,Title,Event,UserAgent,Browser,System,Session,Bot,Referrer,Referrer scheme,Screen size,Location,FirstVisit,Date,More',
      '/a,"A, b",0,,Firefox 128,,s1,0,,,,,1,2025-03-02T10:00:00Z,',
      '/b,,0,,Firefox 128,,s1,0,,,,,,2025-03-02T10:01:00Z,x',
      '/b,B,0,,Firefox 128,,s1,0,,,,,1,soon,x',
    ].join('\n')
    const expected = [
      ['Title', 1],
      ['FirstVisit', 1],
      ['More', 1],
    ]
    for (const dry_run of [true, false]) {
      const done = await site.load('goatcounter_csv', 'export.csv', csv, { dry_run })
      assert.deepEqual([done.rows_taken, done.rows_refused], [2, 1])
      const found = named(done.ignored).filter(([what]) => expected.some(([name]) => name === what))
      assert.deepEqual(found, expected)
    }
  })

  test('names amounts in other currencies, and amounts that are none', async () => {
    const lines = [
      { currency: 'EUR', amount: 5 },
      { currency: 'USD', amount: 5 },
      { currency: 'USD', amount: 6 },
      { currency: 'EUR', amount: 'much' },
    ].map((revenue, i) => JSON.stringify({ timestamp: `2025-03-03T10:0${i}:00Z`, url: '/', name: 'Purchase', visitor: 'v', revenue }))
    const done = await site.load('footfall', 'hits.ndjson', lines.join('\n'))
    assert.equal(done.rows_taken, 4)
    assert.deepEqual(
      done.ignored.map(({ what, why, rows }: any) => [what, why.slice(0, 28), rows]),
      [
        ['revenue', 'an amount in another currenc', 2],
        ['revenue', 'an amount that is not a numb', 1],
      ],
    )
  })

  test('counts columns of totals, and lines of files without a report', async () => {
    const csv = 'date,browser,visitors,colour\n2024-01-01,Firefox,3,\n2024-01-02,Firefox,4,red\n2024-01-03,Firefox,5,blue\n'
    const done = await site.load('plausible', 'imported_browsers_20240101_20240103.csv', csv)
    assert.deepEqual(named(done.ignored), [['browsers: colour', 2]])
  })
})
