/** The visits that each operator of a filter keeps, and the errors for invalid filters. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Engine, openEngine } from '../../storage/engine/index.ts'
import { pathMatcher } from '../../storage/engine/vocabulary/path-pattern.ts'
import { parseFilters } from '../../operations/sites/segments/filters.ts'
import type { LiveSite } from '../../operations/sites/sites/records.ts'
import { onAnyEngine } from '../support/engines.ts'
import { addSite, hit, store as keep } from '../storage/engine/traffic.ts'
import { noteOf } from '../../operations/reports/stats/report-notes.ts'

const noon = Date.parse('2026-05-05T12:00Z')
const range = { from: noon - 43_200_000, to: noon + 43_200_000, fromDay: 20578, toDay: 20578, whole: true }

/** Four visits: a, b, c and d. */
const visits = {
  a: { pages: ['/', '/blog/One'], country: 'DE', region: 'DE-BY', version: '9', plan: 'pro', price: 5 },
  b: { pages: ['/docs'], country: 'NP', region: 'NL-LI', version: '10.5', plan: 'free', price: 80 },
  c: { pages: ['/blog/two', '/docs'], country: '', region: 'Bavaria', version: '119', event: 'signup' },
  d: { pages: ['/'], country: 'de', region: 'BE-VLI', version: 'beta', event: 'Sign out', referrer: 'xn--bcher-kva.example/Caf\u00e9' },
} as const

const table: readonly (readonly [filters: readonly unknown[], kept: string])[] = [
  [[], 'abcd'],
  [[['country', 'is', 'DE']], 'a'],
  [[['country', 'is', 'Germany']], 'a'],
  [[['country', 'any_of', ['germany', 'np']]], 'ab'],
  [[['country', 'any_of', ['Deutschland', 'Népal']]], 'ab'],
  [[['country', '==', 'DE']], 'a'],
  [[['region', 'is', 'DE-BY']], 'a'],
  [[['region', 'is', 'bavaria']], 'a'],
  [[['region', 'is', 'Bayern']], 'a'],
  [[['region', 'is', 'Bavaria']], 'ac'], // some databases of places have only the name
  [[['region', 'is', 'Limburg (NL)']], 'b'],
  [[['region', 'is_not', 'Limburg']], 'ac'],
  [[['region', 'any_of', ['limburg', 'de-by']]], 'abd'],
  [[['region', 'is', 'constructor']], ''],
  [['country', 'equals', 'DE'], 'a'],
  [[['country', 'is', ['DE', 'Nepal']]], 'ab'],
  [[['country', '!=', 'DE']], 'bcd'],
  [[['country', 'any_of', 'DE']], 'a'],
  [[['browser_version', '>', '9']], 'bc'],
  [[['page', 'Starts with', '/blog/']], 'ac'],
  [[['referrer', 'is', 'xn--bcher-kva.example/Caf\u00e9']], 'd'],
  [[['referrer', 'is', 'b\u00fccher.example/Caf\u00e9']], 'd'],
  [[['referrer', 'is', 'bu\u0308cher.example/Cafe\u0301']], 'd'],
  [[['referrer', 'contains', 'B\u00fcCHER']], 'd'],
  [[['referrer', 'contains', 'xn--b']], 'd'],
  [[['referrer', 'starts_with', 'bu\u0308cher.']], 'd'],
  [[['referrer', 'not_contains', 'b\u00fccher']], 'abc'],
  [[['referrer', 'regex', '^b\u00fc.*\u00e9$']], 'd'],
  [[['country', 'is', '']], 'c'],
  [[['country', 'is', '(not set)']], 'c'],
  [[['country', 'is_not', 'DE']], 'bcd'],
  [[['country', 'any_of', ['DE', 'NP', 'XX']]], 'ab'],
  [[['country', 'none_of', ['DE', '(not set)']]], 'bd'],
  [[['country', 'contains', 'd']], 'ad'],
  [[['country', 'not_contains', 'd']], 'bc'],
  [[['country', 'starts_with', 'n']], 'b'],
  [[['country', 'regex', '^[A-Z]']], 'ab'],
  [[['country', 'regex', '(?i)^de$']], 'ad'],
  [[['country', 'not_regex', '^[A-Z]']], 'cd'],
  [[['browser_version', 'gt', 9]], 'bc'],
  [[['browser_version', 'lt', '10.5']], 'a'],
  [[['browser_version', 'between', [9, 10.5]]], 'ab'],
  [[['page', 'is', '/docs']], 'bc'],
  [[['page', 'is_not', '/docs']], 'ad'],
  [[['page', 'contains', 'BLOG']], 'ac'],
  [[['page', 'not_contains', 'blog']], 'bd'],
  [[['page', 'any_of', ['/docs', '/blog/One']]], 'abc'],
  [[['page', 'none_of', ['/docs', '/blog/One']]], 'd'],
  [[['page', 'starts_with', '/blog/']], 'ac'],
  [[['page', 'regex', '^/blog/[a-z]+$']], 'c'],
  [
    [
      ['page', 'is', '/'],
      ['page', 'is', '/blog/One'],
    ],
    'a',
  ],
  [[['entry_page', 'is', '/docs']], 'b'],
  [[['exit_page', 'is', '/docs']], 'bc'],
  [[['event', 'is', 'signup']], 'c'],
  [[['event', 'is_not', 'signup']], 'abd'],
  [[['event', 'contains', 'sign']], 'cd'],
  [[['event', 'not_regex', '.']], 'ab'],
  [[['property:plan', 'is', 'pro']], 'a'],
  [[['property:plan', 'is_not', 'pro']], 'bcd'],
  [[['property:plan', 'regex', '.']], 'ab'],
  [[['property:price', 'gt', 5]], 'b'],
  [[['property:price', 'between', [5, 80]]], 'ab'],
  [[['property:unknown', 'is', 'x']], ''],
  [[['property:unknown', 'is_not', 'x']], 'abcd'],
  [[['goal', 'is', 'Blog']], 'ac'],
  [[['goal', 'is', 'goal_signup']], 'c'],
  [[['goal', 'none_of', ['Blog', 'goal_pro']]], 'bd'],
  [[['goal', 'contains', 'PRO']], 'a'],
  [
    [
      {
        any: [
          ['country', 'is', 'NP'],
          ['event', 'is', 'signup'],
        ],
      },
    ],
    'bc',
  ],
  [[{ any: [['country', 'is', 'NP'], { any: [['goal', 'is', 'Blog']] }] }, ['country', 'is_not', '']], 'ab'],
  [
    [
      {
        any: [
          ['page', 'is_not', '/docs'],
          ['country', 'is', 'NP'],
        ],
      },
    ],
    'abd',
  ],
]

const goals = [
  { id: 'goal_blog', name: 'Blog', kind: 'page', path: '/blog/*', event: null, property: null, value: null },
  { id: 'goal_signup', name: 'Signup', kind: 'event', path: null, event: 'signup', property: null, value: null },
  { id: 'goal_pro', name: 'Pro', kind: 'page', path: '/**', event: null, property: 'plan', value: 'pro' },
] as const

onAnyEngine('filters', engine => {
  let database: Awaited<ReturnType<typeof engine.create>>
  let asker: Engine
  let site: LiveSite
  before(async () => {
    database = await engine.create()
    site = await addSite(database.store, 'UTC')
    asker = openEngine(database.store, { threads: 0, cacheBytes: 1_000_000 })
    const hits = Object.entries(visits).flatMap(([who, visit], i) => {
      const at = noon + i * 1000
      const of = {
        who,
        visit: {
          country: visit.country,
          region: visit.region,
          browser_version: visit.version,
          ...('referrer' in visit ? { referrer: visit.referrer } : {}),
        },
      }
      const props: Record<string, string | number> = 'plan' in visit ? { plan: visit.plan, price: visit.price } : {}
      return [
        ...visit.pages.map((page, j) => hit(site, { ...of, at: at + j, page, ...(j === 0 ? { props } : {}) })),
        ...('event' in visit ? [hit(site, { ...of, at: at + 100, page: '/docs', event: visit.event })] : []),
      ]
    })
    assert.equal((await keep(database.store, hits)).length, hits.length)
  })
  after(() => database.drop())

  for (const [filters, kept] of table) {
    test(`${JSON.stringify(filters)} keeps ${kept || 'nothing'}`, async () => {
      const { conditions, faults } = parseFilters(filters)
      assert.deepEqual(faults, [])
      // Each visit has a country and version of its own; the version identifies it.
      const asked = {
        report: 'breakdown',
        dimension: 'browser_version',
        span: range,
        compared: null,
        sort: 'visitors',
        offset: 0,
        limit: 100,
      } as const
      const reply = await asker.query({ site: site.number, where: conditions, goals, asked })
      assert.ok(reply.report === 'breakdown')
      const versions = new Set(reply.rows.map(({ value }) => value))
      const found = Object.entries(visits).filter(([, { version }]) => versions.has(version))
      assert.equal(found.map(([name]) => name).join(''), kept)
    })
  }

  test('texts that were stored before they were composed (NFC) are found by filters and goals, as composed texts are', async () => {
    const other = await addSite(database.store, 'UTC')
    const forms = ['caf\u00e9', 'cafe\u0301']
    const hits = forms.flatMap((name, i) => [
      hit(other, { who: name, at: noon + i, page: `/${name}`, visit: { utm_campaign: name } }),
      hit(other, { who: name, at: noon + i + 10, page: `/${name}`, event: name, props: { [name]: name } }),
    ])
    assert.equal((await keep(database.store, hits)).length, 4)
    const goal = (kind: 'page' | 'event', of: object) => ({
      id: 'g',
      name: 'G',
      kind,
      path: null,
      event: null,
      property: null,
      value: null,
      ...of,
    })
    const visitsOf = async (filters: unknown, goals: readonly ReturnType<typeof goal>[] = []) => {
      const where = parseFilters(filters).conditions
      const reply = await asker.query({ site: other.number, where, goals, asked: { report: 'totals', series: [[range]] } })
      assert.ok(reply.report === 'totals')
      return reply.series[0]?.[0]?.visits
    }
    for (const name of forms) {
      assert.equal(await visitsOf([['page', 'is', `/${name}`]]), 2)
      assert.equal(await visitsOf([['page', 'starts_with', `/${name}`]]), 2)
      assert.equal(await visitsOf([['utm_campaign', 'any_of', [name]]]), 2)
      assert.equal(await visitsOf([['event', 'is', name]]), 2)
      assert.equal(await visitsOf([[`property:${name}`, 'is', name]]), 1, 'keys are texts of their own')
      assert.equal(await visitsOf([['goal', 'is', 'g']], [goal('page', { path: `/${name}` })]), 2)
      assert.equal(await visitsOf([['goal', 'is', 'g']], [goal('page', { path: `/*${name.slice(1)}` })]), 2)
    }
    assert.equal(await visitsOf([['event', 'is', 'cafe']]), 0)
    assert.equal(await visitsOf([['property:cafe\u0301', 'is', 'caf\u00e9']]), 1)
  })

  test('a value that never came is noted, one that came is not', async () => {
    const notes = async (filters: unknown) => {
      const where = parseFilters(filters).conditions
      const asked = { report: 'totals', series: [[range]] } as const
      return (await asker.query({ site: site.number, where, goals, asked })).notes
    }
    assert.deepEqual(
      await notes([
        ['country', 'is', 'DE'],
        ['browser', 'is_not', ''],
      ]),
      [],
    )
    const [note, ...more] = await notes([['country', 'is', 'DE'], { any: [['country', 'is', 'France']] }])
    assert.deepEqual(more, [])
    assert.equal(note?.code, 'no_such_value')
    assert.match(String(noteOf(note).message), /^\/filters\/1\/any\/0: nothing on this site .* country is "FR"/)
  })
})

const wrong: readonly (readonly [filters: unknown, faults: readonly (readonly [pointer: string, code: string, message: RegExp])[]])[] = [
  ['country', [['/filters', 'invalid_type', /list of conditions.*received "country"/]]],
  [{ any: [] }, [['/filters', 'invalid_type', /list of conditions/]]],
  [[['country', 'is']], [['/filters/0', 'too_short', /\[dimension, operator, value\]; received 2/]]],
  [[['country', 'is', 'DE', 'x']], [['/filters/0', 'too_many_items', /received 4/]]],
  [
    [7, null],
    [
      ['/filters/0', 'invalid_type', /"any".*received 7/],
      ['/filters/1', 'invalid_type', /null/],
    ],
  ],
  [[['land', 'is', 'DE']], [['/filters/0/0', 'not_in_enum', /channel, .*country.* and property:<key>; received "land"/]]],
  [
    [
      ['property:', 'is', 'x'],
      ['__proto__', 'is', 'x'],
    ],
    [
      ['/filters/0/0', 'not_in_enum', /property/],
      ['/filters/1/0', 'not_in_enum', /__proto__/],
    ],
  ],
  [
    [
      ['country', 'resembles', 'DE'],
      ['country', 'constructor', 'DE'],
    ],
    [
      ['/filters/0/1', 'not_in_enum', /is, is_not.*between; received "resembles"/],
      ['/filters/1/1', 'not_in_enum', /constructor/],
    ],
  ],
  [
    [['land', 'contains', ['DE']]],
    [
      ['/filters/0/0', 'not_in_enum', /land/],
      ['/filters/0/2', 'invalid_type', /use any_of or none_of/],
    ],
  ],
  [[['country', 'any_of', {}]], [['/filters/0/2', 'invalid_type', /list of strings/]]],
  [
    [['country', 'is', 'Atlantis']],
    [['/filters/0/2', 'not_in_enum', /its ISO 3166-1 code, for example DE, or its name; received "Atlantis"/]],
  ],
  [[['constructor', 'is', 'DE']], [['/filters/0/0', 'not_in_enum', /constructor/]]],
  [[['country', 'any_of', []]], [['/filters/0/2', 'too_short', /at least one/]]],
  [[['country', 'any_of', Array(501).fill('x')]], [['/filters/0/2', 'too_many_items', /at most 500 values; received 501/]]],
  [
    [['country', 'any_of', ['DE', {}, null]]],
    [
      ['/filters/0/2/1', 'invalid_type', /an object/],
      ['/filters/0/2/2', 'invalid_type', /null/],
    ],
  ],
  [[['page', 'contains', '']], [['/filters/0/2', 'too_short', /every value would match/]]],
  [[['page', 'is', 'x'.repeat(1025)]], [['/filters/0/2', 'too_long', /at most 1024 characters; received 1025/]]],
  [[['page', 'regex', '(']], [['/filters/0/2', 'invalid_format', /missing closing \)/]]],
  [[['page', 'regex', '(?=a)']], [['/filters/0/2', 'invalid_format', /RE2/]]],
  [[['page', 'not_regex', '(.{0,999})'.repeat(20)]], [['/filters/0/2', 'invalid_format', /too large/]]],
  [[['page', 'gt', 'many']], [['/filters/0/2', 'invalid_type', /must be a number with gt; received "many"/]]],
  [[['page', 'lt', Number.NaN]], [['/filters/0/2', 'invalid_type', /number/]]],
  [[['page', 'between', 5]], [['/filters/0/2', 'invalid_type', /\[least, most\]/]]],
  [[['page', 'between', [5, 'x']]], [['/filters/0/2/1', 'invalid_type', /"x"/]]],
  [[['page', 'between', [5, 4]]], [['/filters/0/2', 'mismatch', /above/]]],
  [[{ any: [] }], [['/filters/0/any', 'too_short', /at least one condition/]]],
  [[{ any: [['country', 'is']], more: 1 }], [['/filters/0', 'invalid_type', /an object/]]],
  [[{ any: [{ any: [{ any: [['country', 'is', 'DE']] }] }] }], [['/filters/0/any/0/any/0', 'too_large', /deeper than 3/]]],
  [
    [
      {
        any: [
          ['country', 'is', 'DE'],
          ['land', 'is', 'x'],
        ],
      },
    ],
    [['/filters/0/any/1/0', 'not_in_enum', /land/]],
  ],
  [Array(51).fill(['country', 'is', 'DE']), [['/filters', 'too_many_items', /at most 50/]]],
  [
    [{ any: Array(30).fill(['country', 'is', 'DE']) }, { any: Array(30).fill(['country', 'is', 'DE']) }],
    [['/filters', 'too_many_items', /50 conditions in total; received 60/]],
  ],
]

for (const [filters, expected] of wrong) {
  test(`refused: ${JSON.stringify(filters).slice(0, 90)}`, () => {
    const { faults } = parseFilters(filters)
    assert.deepEqual(
      faults.map(({ pointer, code }) => [pointer, code]),
      expected.map(([pointer, code]) => [pointer, code]),
    )
    for (const [i, [, , message]] of expected.entries()) assert.match(String(faults[i]?.message), message)
  })
}

test('deep or long filters are refused without a crash', () => {
  const deep: unknown = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000))
  assert.ok(parseFilters(deep).faults.length > 0)
  assert.ok(parseFilters([['country', 'is', deep]]).faults.length > 0)
  assert.ok(parseFilters([['country', 'any_of', Array(500).fill(deep)]]).faults.length <= 100)
})

test('a page goal: * stays within a segment, ** does not, the rest is text', () => {
  const matches = (pattern: string, ...paths: string[]) => paths.filter(pathMatcher(pattern))
  assert.deepEqual(matches('/blog', '/blog', '/blog/', '/blogs'), ['/blog'])
  assert.deepEqual(matches('/blog/*', '/blog/', '/blog/a', '/blog/a/b', '/blog'), ['/blog/', '/blog/a'])
  assert.deepEqual(matches('/blog/**', '/blog/', '/blog/a', '/blog/a/b', '/blog'), ['/blog/', '/blog/a', '/blog/a/b'])
  assert.deepEqual(matches('/*/thanks', '/a/thanks', '/a/b/thanks'), ['/a/thanks'])
  assert.deepEqual(matches('/a.b(c)*', '/a.b(c)', '/a.b(c)d', '/axb(c)'), ['/a.b(c)', '/a.b(c)d'])
})
