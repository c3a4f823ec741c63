import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../support/properties.ts'
import { acquisitionOf } from '../../../operations/sites/collection/enrich/acquisition.ts'
import { LIMITS, type Parsed, type SentHit } from '../../../operations/sites/collection/hit.ts'
import { parsePlausible } from '../../../operations/sites/collection/formats/plausible.ts'
import { worthOf } from '../../../operations/sites/collection/money.ts'
import { parseUmami, parseUmamiBatch } from '../../../operations/sites/collection/formats/umami.ts'
import { startCpuTimer } from '../../support/cpu.ts'

const URL_ = 'https://example.com/'
const WEBSITE = 'b59e9c65-ae32-47f1-8400-119fcf4861c4'

function hitsOf(parsed: Parsed): readonly SentHit[] {
  assert.ok('hits' in parsed, JSON.stringify(parsed))
  return parsed.hits
}

function only(parsed: Parsed): SentHit {
  const [hit, ...more] = hitsOf(parsed)
  assert.ok(hit && more.length === 0)
  return hit
}

function errorsOf(parsed: Parsed): string[] {
  assert.ok('errors' in parsed, 'was accepted')
  return Object.keys(parsed.errors)
}

/** A Plausible hit with these fields; by default a pageview of example.com. */
const plausible = (fields: object) => parsePlausible({ n: 'pageview', u: URL_, d: 'example.com', ...fields })
/** An Umami hit with this payload. */
const umami = (payload: object, type: unknown = 'event') =>
  parseUmami({ type, payload: { website: WEBSITE, hostname: 'example.com', url: '/', ...payload } })

describe('hits of other products’ trackers', () => {
  test('a pageview of plausible-tracker 0.3.9 is read with all of its fields', () => {
    const { query, ...hit } = only(
      parsePlausible({
        n: 'pageview',
        u: 'https://www.example.com/pricing?utm_source=x#plans',
        d: 'www.Example.com',
        r: null,
        w: 1280,
        h: 0,
      }),
    )
    assert.equal(query.get('utm_source'), 'x')
    assert.deepEqual(hit, {
      site: { by: 'domain', value: 'example.com' },
      kind: 'pageview',
      name: '',
      url: 'https://www.example.com/pricing?utm_source=x#plans',
      hostname: 'example.com',
      page: '/pricing',
      referrer: '',
      props: [],
      revenue: null,
      interactive: true,
      screen: '',
      width: 1280,
      language: '',
      title: '',
      tag: '',
      scroll: null,
      engagedMs: null,
      vitals: {},
      clicks: [],
      user: null,
      claimed: { ip: null, userAgent: null, at: null },
    })
  })

  test('properties of a Plausible event are read from a JSON string', () => {
    const hit = only(plausible({ n: 'Signup', p: '{"plan":"pro","seats":3,"trial":false}' }))
    assert.equal(hit.kind, 'event')
    assert.equal(hit.name, 'Signup')
    assert.deepEqual(hit.props, [
      ['plan', 'pro'],
      ['seats', 3],
      ['trial', false],
    ])
  })

  test('an event of @plausible-analytics/tracker 0.4.6 is read with its revenue', () => {
    const hit = only(
      parsePlausible({
        n: 'Purchase',
        v: 36,
        u: URL_,
        d: 'example.com',
        r: 'https://t.co/x',
        p: { plan: 'pro' },
        i: false,
        $: { currency: 'eur', amount: '19.90' },
      }),
    )
    assert.deepEqual(hit.revenue, { currency: 'EUR', amount: 19.9 })
    assert.equal(hit.interactive, false)
    assert.equal(hit.referrer, 'https://t.co/x')
  })

  test('an engagement of @plausible-analytics/tracker 0.4.6 has a scroll depth and a time', () => {
    const hit = only(parsePlausible({ n: 'engagement', sd: 64, d: 'example.com', u: URL_, p: {}, e: 5120, v: 36 }))
    assert.deepEqual([hit.kind, hit.name, hit.interactive], ['engagement', '', false])
    assert.deepEqual([hit.scroll, hit.engagedMs], [64, 5120])
  })

  test('a pageview of Umami is read with screen, language, title and tag', () => {
    const hit = only(
      umami({
        screen: '1920x1080',
        language: 'en-US',
        title: 'Home',
        tag: 'B',
        url: 'https://example.com/a?b=c',
        referrer: '',
      }),
    )
    assert.deepEqual(hit.site, { by: 'umami', value: WEBSITE })
    assert.deepEqual(
      [hit.kind, hit.page, hit.hostname, hit.screen, hit.language, hit.title, hit.tag, hit.query.get('b')],
      ['pageview', '/a', 'example.com', '1920x1080', 'en-US', 'Home', 'B', 'c'],
    )
  })

  test('nested data of an Umami event become properties with dotted names', () => {
    const hit = only(
      umami({
        name: 'checkout',
        data: {
          revenue: 19.99,
          currency: 'USD',
          cart: { items: 2, first: { sku: 'a', of: { what: 1 } } },
          tags: ['x', 7, {}],
        },
      }),
    )
    assert.deepEqual(hit.revenue, { currency: 'USD', amount: 19.99 })
    assert.deepEqual(hit.props, [
      ['revenue', 19.99],
      ['currency', 'USD'],
      ['cart.items', 2],
      ['cart.first.sku', 'a'],
      ['tags', 'x, 7'],
    ])
  })

  test('web vitals of Umami that are out of range or no numbers are dropped', () => {
    const hit = only(umami({ lcp: 1200, cls: 0.02, inp: 90_000, ttfb: '5' }, 'performance'))
    assert.equal(hit.kind, 'vitals')
    assert.deepEqual(hit.vitals, { lcp: 1200, cls: 0.02 })
  })

  test('an identify of Umami is an engagement, never an event', () => {
    const hit = only(umami({ id: 'someone', data: { plan: 'pro' } }, 'identify'))
    assert.deepEqual([hit.kind, hit.name, hit.interactive, hit.engagedMs], ['engagement', '', false, null])
    assert.deepEqual(hit.props, [])
    assert.deepEqual(hit.user, { id: 'someone', traits: { plan: 'pro' } })
  })

  test('the engagement time of newer Umami scripts is read', () => {
    assert.equal(only(umami({ engagement: 900 }, 'engagement')).engagedMs, 900)
  })

  test('in a batch of Umami, only the wrong message fails', async () => {
    const parsed = await parseUmamiBatch([{ type: 'event', payload: { website: WEBSITE, url: '/' } }, { type: 'event' }, 7])
    assert.ok(Array.isArray(parsed))
    assert.deepEqual(
      parsed.map(one => 'hits' in one),
      [true, false, false],
    )
    assert.deepEqual(await parseUmamiBatch({}), { errors: { request: ['must be a JSON array of messages in UTF-8'] } })
    assert.ok('errors' in (await parseUmamiBatch(Array(LIMITS.batch + 1).fill({}))))
  })
})

describe('fields of our own script', () => {
  test('a pageview of our script has a width, screen, language and title', () => {
    const hit = only(plausible({ w: 390, sc: '390x844', l: 'de-DE', t: 'Hallo' }))
    assert.deepEqual([hit.width, hit.screen, hit.language, hit.title], [390, '390x844', 'de-DE', 'Hallo'])
  })

  test('our script’s vitals that are out of range or unknown are dropped', () => {
    const hit = only(plausible({ n: 'vitals', vt: { lcp: 1800.5, cls: 0.1, inp: -1, ttfb: null, tbt: 4 } }))
    assert.deepEqual([hit.kind, hit.vitals], ['vitals', { lcp: 1800.5, cls: 0.1 }])
  })

  test('our script’s clicks are limited in number, and wrong clicks are dropped', () => {
    const click = { s: 'main > a', x: 5000.4, y: 120 }
    const wrong = [
      { s: '', x: 1, y: 1 },
      { s: 'a', x: 10_001, y: 1 },
    ]
    const hit = only(plausible({ n: 'click', c: [...wrong, ...Array(25).fill(click)] }))
    assert.equal(hit.kind, 'clicks')
    assert.equal(hit.clicks.length, LIMITS.clicks - 2)
    assert.deepEqual(hit.clicks[0], { selector: 'main > a', x: 5000, y: 120 })
  })

  test('custom events that only share the name stay events', () => {
    const { kind, name } = only(plausible({ n: 'click', p: { a: 1 } }))
    assert.deepEqual([kind, name], ['event', 'click'])
    assert.equal(only(plausible({ n: 'vitals' })).kind, 'event')
  })

  test('a hit may name its site by id or by domain', () => {
    assert.deepEqual(only(plausible({ d: 'pa_01Hx' })).site, { by: 'id', value: 'pa_01Hx' })
    assert.deepEqual(only(umami({ website: 'pa_01Hx' })).site, { by: 'id', value: 'pa_01Hx' })
    assert.deepEqual(only(umami({ website: 'www.example.com' })).site, { by: 'domain', value: 'example.com' })
  })
})

describe("spellings of Plausible's fields", () => {
  const long = { name: 'Signup', url: URL_, domain: 'example.com' }
  const same: ReadonlyArray<readonly [string, object, (hit: SentHit) => unknown, unknown]> = [
    ['name, url, domain', {}, ({ name, page, site }) => [name, page, site.value], ['Signup', '/', 'example.com']],
    ['referrer', { referrer: 'https://a.b/' }, ({ referrer }) => referrer, 'https://a.b/'],
    ['props', { props: { a: 'b' } }, ({ props }) => props, [['a', 'b']]],
    ['m', { m: { a: 'b' } }, ({ props }) => props, [['a', 'b']]],
    ['meta as a string', { meta: '{"a":"b"}' }, ({ props }) => props, [['a', 'b']]],
    ['hashMode', { url: `${URL_}#/x`, hashMode: true }, ({ page }) => page, '/#/x'],
    ['interactive', { interactive: false }, ({ interactive }) => interactive, false],
    ['revenue', { revenue: { currency: 'JPY', amount: 5 } }, ({ revenue }) => revenue, { currency: 'JPY', amount: 5 }],
    ['screen_width', { screen_width: 800 }, ({ width }) => width, 800],
    ['null is absent', { n: null, p: null, props: { a: 1 } }, ({ props }) => props, [['a', 1]]],
    ['the short one first', { n: 'Other' }, ({ name }) => name, 'Other'],
  ]
  for (const [what, fields, read, expected] of same) {
    test(what, () => assert.deepEqual(read(only(parsePlausible({ ...long, ...fields }))), expected))
  }
})

describe('the sites of a hit', () => {
  const rows: ReadonlyArray<readonly [string, object, string[]]> = [
    ['a list of domains gives one hit for each', { d: 'a.example, www.B.example ,,a.example' }, ['a.example', 'b.example']],
    ['without a domain, the host of the page names the site', { d: undefined, u: 'https://www.blog.example.com/x' }, ['blog.example.com']],
    ['with an empty domain, the host of the page names the site', { d: ' ' }, ['example.com']],
    ['a Unicode domain is compared in ASCII', { d: 'Bücher.example' }, ['xn--bcher-kva.example']],
    ['the name of an app is accepted as a domain', { d: 'My App', u: 'app://localhost/login' }, ['my app']],
  ]
  for (const [what, fields, expected] of rows) {
    test(what, () =>
      assert.deepEqual(
        hitsOf(plausible(fields)).map(({ site }) => site.value),
        expected,
      ),
    )
  }
  test('more than twenty domains are refused', () => {
    const many = Array.from({ length: 21 }, (_, n) => `s${n}.example`)
    assert.deepEqual(errorsOf(plausible({ d: many.join() })), ['domain'])
  })
})

describe('the page of a hit', () => {
  test('an address with a query has the same parts as with an empty fragment, which is read as a whole', () => {
    const parts = (u: string) => {
      const parsed = plausible({ u })
      if ('errors' in parsed) return Object.keys(parsed.errors)
      const { hostname, page, query } = only(parsed)
      return [hostname, page, [...query]]
    }
    const some = (...words: string[]) => fc.array(fc.constantFrom(...words), { maxLength: 8 }).map(all => all.join(''))
    const starts = fc.constantFrom(
      'https://Example.com',
      'http:',
      'https://',
      '//x',
      'app://host',
      'about:blank',
      'data:',
      'file:',
      'mailto:a',
    )
    const path = some('/', 'a', '..', '%20', '%zz', '@', ':', '\\', '"', '<', '|', 'é', ' ', '\t')
    const query = some('?', '&', '=', '+', '%26', '%', '/', "'", '"', '<', '\\', 'utm_source', 'é', ' ', '\t', '\n', '^', '`', '{')
    fc.assert(
      fc.property(starts, path, query, (start, path, query) => {
        const address = `${start}${path}?${query}z`
        assert.deepEqual(parts(address), parts(`${address}#`), address)
      }),
      { numRuns: 2_000 },
    )
  })
  const rows: ReadonlyArray<readonly [string, object, string, string]> = [
    ['the query is not part of the page', { u: 'https://example.com/a?secret=1' }, '/a', 'example.com'],
    ['an address without a path is the page /', { u: 'https://example.com' }, '/', 'example.com'],
    ['an anchor is not part of the page', { u: 'https://example.com/a#b' }, '/a', 'example.com'],
    ['in hash mode, the fragment is part of the page', { u: 'https://example.com/a#b', h: 1 }, '/a#b', 'example.com'],
    [
      'in hash mode, the query of the fragment is not part of the page',
      { u: 'https://example.com/#/a?token=1', h: '1' },
      '/#/a',
      'example.com',
    ],
    ['in hash mode, an empty route is the page without a fragment', { u: 'https://example.com/#/', h: 1 }, '/', 'example.com'],
    [
      'in hash mode, an empty route with a query is the page without a fragment',
      { u: 'https://example.com/app#!/?tab=2', h: 1 },
      '/app',
      'example.com',
    ],
    ['escaped letters of a path are decoded', { u: 'https://example.com/caf%C3%A9/%E6%97%A5' }, '/café/日', 'example.com'],
    ['raw letters of a path stay as they are', { u: 'https://example.com/café/日' }, '/café/日', 'example.com'],
    ['escaped blanks and other ASCII of a path are decoded', { u: 'https://example.com/a%20b%28c%29%7Ed' }, '/a b(c)~d', 'example.com'],
    ['raw blanks of a path stay as they are', { u: 'https://example.com/a b(c)~d' }, '/a b(c)~d', 'example.com'],
    [
      'escaped letters and blanks of one path are decoded',
      { u: 'https://example.com/caf%C3%A9%20au%20lait' },
      '/café au lait',
      'example.com',
    ],
    [
      'escapes that would change the structure of a path stay',
      { u: 'https://example.com/a%2Fb%3Fc%23d%25%32e' },
      '/a%2Fb%3Fc%23d%252e',
      'example.com',
    ],
    ['escaped control characters of ASCII stay in a path', { u: 'https://example.com/a%00%1f%7Fb' }, '/a%00%1f%7Fb', 'example.com'],
    ['broken escapes stay in a path', { u: 'https://example.com/%E9%ZZ%' }, '/%E9%ZZ%', 'example.com'],
    ['other escaped control characters are removed from a path', { u: 'https://example.com/a%C2%85b' }, '/ab', 'example.com'],
    ['a path keeps its case and its slashes', { u: 'https://EXAMPLE.com/About//' }, '/About//', 'example.com'],
    ['ports and credentials are not part of the page', { u: 'https://me:pw@example.com:8443/' }, '/', 'example.com'],
    ['a Unicode host is stored in ASCII', { u: 'https://münchen.example/' }, '/', 'xn--mnchen-3ya.example'],
    ['a screen of an app is a page', { u: 'app://Localhost/login' }, '/login', 'localhost'],
    ['a path without a host belongs to the domain', { u: '/about' }, '/about', 'example.com'],
    ['the host of a page may be an IPv6 address', { u: 'http://[::1]/x' }, '/x', '[::1]'],
  ]
  for (const [what, fields, page, hostname] of rows) {
    test(what, () => {
      const hit = only(plausible(fields))
      assert.deepEqual([hit.page, hit.hostname], [page, hostname])
    })
  }
  test('Umami: a page keeps its route but no anchor, and the named host takes precedence', () => {
    assert.equal(only(umami({ url: '/a#b' })).page, '/a')
    assert.equal(only(umami({ url: '/a#/b?c=d' })).page, '/a#/b')
    assert.equal(only(umami({ url: '/a#/' })).page, '/a')
    assert.equal(only(umami({ url: 'https://other.example/a', hostname: 'WWW.A.example:8080' })).hostname, 'a.example')
    assert.equal(only(umami({ url: 'https://other.example/a', hostname: undefined })).hostname, 'other.example')
    assert.equal(only(umami({ url: '/a', hostname: undefined })).hostname, '')
    assert.equal(only(umami({ url: undefined, name: 'done' })).page, '')
  })
  test('a long path is cut between characters to at most a kilobyte', () => {
    const { page } = only(plausible({ u: `https://example.com/${'日'.repeat(600)}` }))
    assert.ok(Buffer.byteLength(page) <= LIMITS.value && Buffer.byteLength(page) > LIMITS.value - 3)
    assert.ok(page.endsWith('日'))
  })
})

describe('refused, with every fault at once', () => {
  const rows: ReadonlyArray<readonly [string, Parsed, string[]]> = [
    ['nothing', parsePlausible({}), ['name', 'url']],
    ['no object', parsePlausible([]), ['request']],
    ['null', parsePlausible(null), ['request']],
    ['a string', parsePlausible('{"n":"pageview"}'), ['request']],
    ['a long name', plausible({ n: 'x'.repeat(121) }), ['name']],
    ['a name that is no text', plausible({ n: 7 }), ['name']],
    ['a name of controls only', plausible({ n: '\0\u0007' }), ['name']],
    ['a long url', plausible({ u: `${URL_}${'x'.repeat(2_000)}` }), ['url']],
    ['a data: url', plausible({ u: 'data:text/html,x' }), ['url']],
    ['a data: url that looks like a path', plausible({ u: 'DATA:/x' }), ['url']],
    ['a blank page', plausible({ u: 'about:blank' }), ['url']],
    ['a script', plausible({ u: 'javascript:alert(1)' }), ['url']],
    ['a url that is none', plausible({ u: 'garbage' }), ['url']],
    ['a host that is none', plausible({ u: 'https://exa mple.com/' }), ['url']],
    ['no site at all', plausible({ d: undefined, u: 'file:///home/me/x.html' }), ['domain']],
    ['engagement without a measure', plausible({ n: 'engagement', sd: null, e: '5' }), ['engagement']],
    ['vitals without one', plausible({ n: 'vitals', vt: {} }), ['vt']],
    ['clicks without one', plausible({ n: 'click', c: [1] }), ['c']],
    ['several', plausible({ n: '', u: 'data:,', ip: 'x', timestamp: 'soon' }), ['name', 'url', 'ip', 'timestamp']],
    ['Umami: no object', parseUmami(7), ['request']],
    ['Umami: no payload', parseUmami({ type: 'event' }), ['payload']],
    ['Umami: another type', umami({}, 'error'), ['type']],
    ['Umami: a type every object has', umami({}, 'constructor'), ['type']],
    ['Umami: no website', umami({ website: undefined }), ['website']],
    ['Umami: no url', umami({ url: undefined }), ['url']],
    ['Umami: no vitals', umami({ lcp: '1' }, 'performance'), ['payload']],
    ['Umami: a long name', umami({ name: 'x'.repeat(121) }), ['name']],
  ]
  for (const [what, parsed, fields] of rows) test(what, () => assert.deepEqual(errorsOf(parsed), fields))
})

test('paths, names and values are stored composed (NFC)', () => {
  const [typed, stored] = ['Cafe\u0301', 'Caf\u00e9']
  const hit = only(
    plausible({
      n: typed,
      u: `https://example.com/${encodeURIComponent(typed)}?utm_source=${encodeURIComponent(typed)}`,
      p: { [typed]: typed },
      t: typed,
    }),
  )
  assert.deepEqual([hit.name, hit.page, hit.props, hit.title], [stored, `/${stored}`, [[stored, stored]], stored])
  assert.equal(acquisitionOf(hit).utm_source, stored)
  assert.equal(only(umami({ name: typed, url: `/${typed}` })).page, `/${stored}`)
})

test('the query of a route is read like the query of the page, if the fragment belongs to the page', () => {
  const tagged = { u: 'https://example.com/?utm_medium=a#/pricing?utm_source=b&utm_medium=c' }
  const hit = only(plausible({ ...tagged, h: 1 }))
  assert.equal(hit.page, '/#/pricing')
  assert.deepEqual(
    [...hit.query],
    [
      ['utm_medium', 'a'],
      ['utm_source', 'b'],
    ],
  )
  assert.deepEqual([...only(plausible(tagged)).query], [['utm_medium', 'a']])
  assert.equal(acquisitionOf(only(umami({ url: '/#/pricing?utm_source=b' }))).source, 'b')
  assert.equal(acquisitionOf(only(plausible({ u: 'https://example.com/#?utm_source=b', h: 1 }))).source, 'b')
})

describe('properties', () => {
  const rows: ReadonlyArray<readonly [string, unknown, SentHit['props']]> = [
    ['properties that are not plain values are ignored', { a: { b: 1 }, c: [1], d: null, e: '', f: 'x' }, [['f', 'x']]],
    ['a list gives no properties', [1, 2], []],
    ['a string that is not JSON gives no properties', '{', []],
    ['a JSON string that is not an object gives no properties', '"x"', []],
    ['infinite numbers are ignored', JSON.parse('{"a":1e999,"b":0}'), [['b', 0]]],
    [
      'keys such as __proto__ are ordinary keys',
      JSON.parse('{"__proto__":1,"valueOf":2}'),
      [
        ['__proto__', 1],
        ['valueOf', 2],
      ],
    ],
    ['controls are stripped', { 'a\0': ' x\0y ' }, [['a', 'xy']]],
    ['of keys that are equal after cleaning, the first is kept', { 'a\0': 1, a: 2 }, [['a', 1]]],
    ['half a surrogate pair is stripped', { a: 'x\ud83d' }, [['a', 'x']]],
    ['invisible characters are removed from keys and values', { 'a\u2028': 'x\u202ey\u200bz\ufeff' }, [['a', 'xyz']]],
    ['joiners stay in values', { a: 'می\u200cخواهم' }, [['a', 'می\u200cخواهم']]],
  ]
  for (const [what, sent, expected] of rows) {
    test(what, () => assert.deepEqual(only(plausible({ n: 'E', p: sent })).props, expected))
  }
  test('only the first thirty properties are kept', () => {
    const sent = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, i]))
    assert.equal(only(plausible({ n: 'E', p: { nested: {}, ...sent } })).props.at(-1)?.[0], 'k29')
  })
  test('values are cut at a kilobyte, keys at 300 bytes', () => {
    const [[key, value] = ['', '']] = only(plausible({ n: 'E', p: { ['k'.repeat(400)]: 'é'.repeat(2_000) } })).props
    assert.deepEqual([key.length, value], [300, 'é'.repeat(512)])
  })
  test('dangerous keys change no prototype', () => {
    const data = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":1}}}')
    only(umami({ name: 'E', data }))
    assert.ok(!('polluted' in {}))
  })
})

describe('revenue', () => {
  const rows: ReadonlyArray<readonly [string, unknown, SentHit['revenue']]> = [
    ['a number', { currency: 'USD', amount: 10 }, { currency: 'USD', amount: 10 }],
    ['a string', { currency: 'usd', amount: ' 10.50 ' }, { currency: 'USD', amount: 10.5 }],
    ['a JSON string', '{"currency":"USD","amount":1}', { currency: 'USD', amount: 1 }],
    ['a refund', { currency: 'USD', amount: -3 }, { currency: 'USD', amount: -3 }],
    ['no currency', { amount: 1 }, { currency: '', amount: 1 }],
    ['a currency that is no text', { currency: 5, amount: 1 }, 'invalid'],
    ['a currency that is none', { currency: 'XQQ', amount: 1 }, 'invalid'],
    ['an amount that is none', { currency: 'USD', amount: '1,299' }, 'invalid'],
    ['an infinite amount', { currency: 'USD', amount: Infinity }, 'invalid'],
    ['an exponent', { currency: 'USD', amount: '1e3' }, 'invalid'],
    ['a number without a currency', 12.5, 'invalid'],
    ['a currency without an amount', { currency: 'USD' }, null],
    ['nothing in it', {}, null],
    ['nothing', null, null],
  ]
  for (const [what, sent, expected] of rows) {
    test(`${what}: the event is kept`, () => assert.deepEqual(only(plausible({ n: 'E', $: sent })).revenue, expected))
  }
  const site = { currency: 'EUR', currencies: new Map() }
  const worth = (amount: unknown, currency = 'EUR') => worthOf(only(plausible({ n: 'E', $: { currency, amount } })), { ...site, currency })
  const amounts: ReadonlyArray<readonly [unknown, number | string, string?]> = [
    [1.005, 101],
    ['1.005', 101],
    [1.115, 112],
    [-1.005, -101],
    [0.005, 1],
    [-0.005, -1],
    [1.004999, 100],
    [0.1 + 0.2, 30],
    [19.99, 1999],
    [1e-7, 0],
    [4.35, 435],
    [10.235, 10_235, 'KWD'],
    [1234.5, 1235, 'JPY'],
    [1e10, 1e12],
    [9_999_999_999.995, 1e12],
    [10_000_000_000.01, 'invalid_revenue'],
    [-1e10 - 1, 'invalid_revenue'],
    [1e300, 'invalid_revenue'],
    ['1'.repeat(30), 'invalid_revenue'],
  ]
  for (const [amount, expected, currency] of amounts) {
    test(`${amount} ${currency ?? 'EUR'} is ${expected}, counted in decimal, half away from zero`, () =>
      assert.equal(worth(amount, currency), expected))
  }
  test('every amount with two decimals is exact', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e11, max: 1e11 }), cents => {
        assert.equal(worth(Number(`${cents}e-2`)), cents)
      }),
    )
  })
  test('an amount in another currency, or without one, is not counted, with a reason', () => {
    assert.equal(worthOf(only(plausible({ n: 'E', $: { currency: 'USD', amount: 1 } })), site), 'other_currency')
    assert.equal(worthOf(only(plausible({ n: 'E', $: { amount: 1 } })), site), 'invalid_revenue')
    assert.equal(worthOf(only(plausible({ n: 'E' })), site), 0)
  })
  test('an engagement earns nothing', () => {
    assert.equal(only(plausible({ n: 'engagement', e: 1, $: { currency: 'USD', amount: 1 } })).revenue, null)
  })
})

describe('measures', () => {
  const rows: ReadonlyArray<readonly [object, number | null, number | null]> = [
    [{ sd: 0, e: 0 }, 0, 0],
    [{ sd: 100.4, e: 1.6 }, 100, 2],
    [{ sd: 130, e: 5 }, 100, 5],
    [{ sd: -1, e: 5 }, null, 5],
    [{ sd: '50', e: 5 }, null, 5],
    [{ sd: 50, e: 86_400_001 }, 50, null],
    [{ sd: 50, e: Infinity }, 50, null],
  ]
  for (const [sent, scroll, engagedMs] of rows) {
    test(`engagement ${JSON.stringify(sent)}`, () => {
      const hit = only(plausible({ n: 'engagement', ...sent }))
      assert.deepEqual([hit.scroll, hit.engagedMs], [scroll, engagedMs])
    })
  }
  test('a pageview has no scroll depth, even if it sends one', () => {
    assert.equal(only(plausible({ sd: 50, e: 50 })).scroll, null)
  })
  test('a screen must be two numbers', () => {
    const screens = ['1920x1080', '1920X1080', '0x0', 'axb', '1920x1080<script>', 7]
    assert.deepEqual(
      screens.map(sc => only(plausible({ sc })).screen),
      ['1920x1080', '', '', '', '', ''],
    )
  })
})

describe('claims of a server-side sender', () => {
  const at = Date.UTC(2026, 4, 1, 12)
  const times: ReadonlyArray<readonly [unknown, number | null]> = [
    [at, at],
    [at / 1000, at],
    [String(at), at],
    [at / 1000 + 0.5, at + 500],
    ['2026-05-01T12:00:00Z', at],
    ['2026-05-01T12:00:00.000Z', at],
    ['2026-05-01T14:00:00+02:00', at],
    ['2026-05-01T14:00:00+0200', at],
    ['2026-05-01T12:00', at],
    ['2026-05-01', Date.UTC(2026, 4, 1)],
    [undefined, null],
    [null, null],
    ['', null],
    [0, 0],
  ]
  for (const [timestamp, expected] of times) {
    test(`timestamp ${JSON.stringify(timestamp)}`, () => {
      assert.equal(only(plausible({ timestamp })).claimed.at, expected)
      assert.equal(only(umami({ timestamp })).claimed.at, expected)
    })
  }
  for (const timestamp of ['yesterday', '2026-13-01', '2026-05-01T25:00:00Z', -1, Infinity, 1e18, {}, [at], true]) {
    test(`timestamp ${JSON.stringify(timestamp)} is a fault`, () => {
      assert.deepEqual(errorsOf(plausible({ timestamp })), ['timestamp'])
    })
  }
  test('every spelling of an address is one address', () => {
    const spellings = [
      ['203.0.113.9', ['203.0.113.9', '::ffff:203.0.113.9', '::FFFF:cb00:7109', '0:0:0:0:0:ffff:203.0.113.9', ' 203.0.113.9:443 ']],
      ['2001:db8::a', ['2001:db8::a', '2001:DB8::A', '2001:0db8:0000:0000:0000:0000:0000:000a', '2001:db8:0::0:a', '[2001:db8::a]:443']],
      ['fe80::1', ['fe80::1%eth0']],
    ] as const
    for (const [address, all] of spellings) {
      for (const ip of all) {
        assert.equal(only(plausible({ ip })).claimed.ip, address, ip)
        assert.equal(only(umami({ ip })).claimed.ip, address, ip)
      }
    }
  })
  test('addresses and user agents are cleaned, and wrong addresses are a fault', () => {
    const { claimed } = only(plausible({ ip: ' 203.0.113.9 ', user_agent: 'A\0B' }))
    assert.deepEqual(claimed, { ip: '203.0.113.9', userAgent: 'AB', at: null })
    assert.deepEqual(only(umami({ ip: '2001:db8::1', userAgent: 'x'.repeat(900) })).claimed.ip, '2001:db8::1')
    assert.equal(only(umami({ userAgent: 'x'.repeat(900) })).claimed.userAgent?.length, LIMITS.userAgent)
    for (const ip of ['203.0.113', '1.2.3.4, 5.6.7.8', 'localhost', 7, {}]) {
      assert.deepEqual(errorsOf(plausible({ ip })), ['ip'])
    }
  })
})

describe('hostile input', () => {
  const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)

  test('deeply nested properties are accepted and dropped', () => {
    assert.deepEqual(only(plausible({ n: 'E', p: nested(5_000) })).props, [])
    assert.deepEqual(only(umami({ name: 'E', data: nested(5_000) })).props, [])
    assert.deepEqual(only(umami({ name: 'E', data: nested(3) })).props, [['a.a.a', 1]])
    assert.deepEqual(only(plausible({ n: 'E', p: '['.repeat(100_000) })).props, [])
  })

  test('a hit of a megabyte is parsed in little CPU time', () => {
    const cpu = startCpuTimer(1_000)
    const junk = ' \0%C3'.repeat(200_000)
    plausible({ n: junk, u: junk, d: junk, r: junk, t: junk, p: junk })
    umami({ name: junk, url: junk, website: junk, hostname: junk, data: { [junk]: junk } })
    assert.ok(cpu.taken() < 1_000)
  })

  const junk = fc.oneof(
    fc.jsonValue({ maxDepth: 4 }),
    fc.string({ unit: 'binary' }),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.constantFrom<unknown>('pageview', 'engagement', 'click', 'vitals', 'a.example,b.example', '/x', 1e999),
  )
  const body = (...fields: string[]) => fc.record(Object.fromEntries(fields.map(field => [field, junk])), { requiredKeys: [] })

  function assertSound(parsed: Parsed): void {
    if ('errors' in parsed) {
      assert.ok(Object.keys(parsed.errors).length > 0)
      return
    }
    for (const hit of parsed.hits) {
      assert.ok(hit.site.value !== '' && hit.props.length <= LIMITS.props)
      assert.equal(new Set(hit.props.map(([key]) => key)).size, hit.props.length)
      const { site, name, hostname, page, screen, language, title, tag } = hit
      for (const text of [site.value, name, hostname, page, screen, language, title, tag, ...hit.props.flat()]) {
        if (typeof text !== 'string') continue
        assert.ok(!/[\p{Cc}\p{Cs}]/u.test(text) && Buffer.byteLength(text) <= LIMITS.value)
      }
      assert.ok(hit.claimed.at === null || Number.isSafeInteger(hit.claimed.at))
    }
  }

  test('no JSON value makes a parser throw, or is accepted uncleaned', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async value => {
        assertSound(parsePlausible(value))
        assertSound(parseUmami(value))
        await parseUmamiBatch(value)
      }),
      { numRuns: 300 },
    )
  })

  test('no value of a Plausible field makes the parser throw, or is accepted uncleaned', () => {
    const fields = 'n u d r p m $ i h w sd e vt c l t sc ip user_agent timestamp'.split(' ')
    fc.assert(
      fc.property(body(...fields), sent => assertSound(parsePlausible(sent))),
      { numRuns: 1_000 },
    )
    fc.assert(
      fc.property(body('n', 'p', 'd', 't', '$'), sent => assertSound(plausible(sent))),
      { numRuns: 500 },
    )
  })

  test('no value of an Umami field makes the parser throw, or is accepted uncleaned', () => {
    const fields = 'website hostname url referrer name tag title data language screen timestamp ip'.split(' ')
    const type = fc.constantFrom('event', 'identify', 'performance', 'engagement')
    const check = (type: string, payload: object) => {
      assertSound(parseUmami({ type, payload }))
      assertSound(umami(payload, type))
    }
    fc.assert(fc.property(type, body(...fields), check), { numRuns: 1_000 })
    fc.assert(fc.property(type, body('url', 'data', 'name', 'title'), check), { numRuns: 500 })
  })
})
