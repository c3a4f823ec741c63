/** Single probes of real targets, and their results. */
import assert from 'node:assert/strict'
import zlib from 'node:zlib'
import { after, before, describe, test } from 'node:test'
import { type ProbeTarget, probe } from '../../../operations/watch/uptime/probing/probe.ts'
import { textOf } from '../../../operations/watch/uptime/probing/text.ts'
import { startTargets, type Targets } from './targets.ts'

const DAY = 86_400_000
let targets: Targets
before(async () => {
  targets = await startTargets()
})
after(() => targets.close())

const aim: ProbeTarget = {
  kind: 'http',
  url: null,
  host: null,
  port: null,
  keyword: null,
  expected_status: 200,
  http_method: 'GET',
  timeout_seconds: 20, // a busy machine may take long for what does answer
}
const soon = { timeout_seconds: 1 }
const look = (wanted: Partial<ProbeTarget>) => probe({ ...aim, ...wanted }, targets.guard, 'Footfall-Uptime/1.0')
const at = (path: string, wanted: Partial<ProbeTarget> = {}) => look({ url: `${targets.http}${path}`, ...wanted })
const keyword = (path: string, text: string, wanted: Partial<ProbeTarget> = {}) => at(path, { kind: 'keyword', keyword: text, ...wanted })

type Row = [says: string, look: () => ReturnType<typeof look>, error: string | null]
const rows: Row[] = [
  ['a page that answers', () => at('/'), null],
  ['another status than expected', () => at('/status/503'), 'status_503'],
  ['a status that is expected', () => at('/status/418', { expected_status: 418 }), null],
  ['HEAD', () => at('/', { http_method: 'HEAD' }), null],
  ['an answer that comes too late', () => at('/delay/30000', soon), 'timeout'],
  ['a body that never ends', () => at('/drip', soon), 'timeout'],
  ['a slow answer that comes in time', () => at('/delay/300'), null],
  ['a connection that is reset', () => at('/reset'), 'connection_reset'],
  ['a body that breaks off', () => at('/cut'), 'connection_reset'],
  ['a port without a listener', () => look({ url: `http://127.0.0.1:${targets.tcp.closed}/` }), 'connection_refused'],
  ['someone who says nothing', () => look({ url: `http://127.0.0.1:${targets.tcp.silent}/`, ...soon }), 'timeout'],
  ['five redirects', () => at('/redirect/4'), null],
  ['six redirects', () => at('/redirect/5'), 'too_many_redirects'],
  ['a redirect that is expected is not followed', () => at('/redirect/0', { expected_status: 302 }), null],
  ['a redirect where another is expected', () => at('/redirect/0', { expected_status: 301 }), 'status_302'],
  ['a redirect to a refused address', () => at(`/to/${encodeURIComponent('http://10.1.2.3/')}`), 'blocked'],
  ['a redirect to what is no address', () => at(`/to/${encodeURIComponent('ftp://127.0.0.1/')}`), 'invalid_target'],
  ['a redirect to an invalid certificate', () => at(`/to/${encodeURIComponent(`${targets.tls('expired')}/`)}`), 'tls_expired'],

  ['a keyword that is there', () => keyword('/', 'the shop'), null],
  ['a keyword in another case', () => keyword('/', 'The Shop'), 'keyword_missing'],
  ['a keyword that is not there', () => keyword('/', 'Basket'), 'keyword_missing'],
  ['a keyword on a page of another status', () => keyword('/status/500', 'x'), 'status_500'],
  ['a keyword in the charset of the page', () => keyword('/latin1', 'café'), null],
  ['a keyword in an unknown charset', () => keyword('/charset', 'Welcome'), null],
  ['a keyword at the end of a long page', () => keyword('/long/900000', 'needle'), null],
  ['a keyword beyond what is read', () => keyword('/long/1100000', 'needle'), 'body_limit'],
  ['a keyword at the start of a page that is longer than what is read', () => keyword('/long/1100000', 'xxx'), null],
  ...['gzip', 'x-gzip', 'deflate', 'br', 'gzip, br', 'identity', ...('createZstdDecompress' in zlib ? ['zstd'] : [])].map(
    (coding): Row => [`a keyword in a body that is compressed unasked: ${coding}`, () => keyword(`/as/${coding}`, 'the shop'), null],
  ),
  ['a keyword that a compressed body lacks', () => keyword('/as/br', 'Basket'), 'keyword_missing'],
  ['a keyword in a body that is not compressed as it says', () => keyword('/as/raw-gzip', 'the shop'), null],
  ['a keyword that a body in an unknown coding lacks', () => keyword('/as/compress', 'Basket'), 'body_unreadable'],
  ['a keyword in a body that blows up', () => keyword('/bomb', 'needle'), 'body_limit'],
  ['a page that is not compressed as it says, whose status counts', () => at('/as/raw-gzip'), null],
  ['a keyword in the charset of a meta element', () => keyword('/chars/meta', 'Grüße'), null],
  ['a keyword in the charset of a meta element as of HTML 4', () => keyword('/chars/meta-http', '日本語'), null],
  ['a keyword in the charset of the meta element that counts', () => keyword('/chars/commented', 'Привет'), null],
  ['a keyword in the charset of an XML declaration', () => keyword('/chars/xml', 'Grüße'), null],
  ['a keyword in the charset of the header, whatever the page says', () => keyword('/chars/header', 'Grüße'), null],
  ['a keyword after a byte order mark, whatever the header says', () => keyword('/chars/mark', 'Grüße'), null],
  ['a keyword without any charset', () => keyword('/chars/undeclared', 'Grüße'), null],
  ['a keyword in UTF-8 without any charset', () => keyword('/chars/undeclared-utf8', 'Grüße'), null],

  ['another status that is accepted', () => at('/status/401', { accepted_statuses: ['204', '401'] }), null],
  ['a status of a class that is accepted', () => at('/status/429', { accepted_statuses: ['4xx'] }), null],
  ['a status that is not accepted', () => at('/status/500', { accepted_statuses: ['204', '4xx'] }), 'status_500'],
  ['a redirect that is accepted is not followed', () => at('/redirect/0', { accepted_statuses: ['3xx'] }), null],
  ['a page that needs the cookie of its own redirect', () => at('/enter'), null],

  ['a valid certificate', () => look({ url: targets.tls('valid') }), null],
  ['a certificate that expires soon', () => look({ url: targets.tls('expiring') }), null],
  ['an expired certificate', () => look({ url: targets.tls('expired') }), 'tls_expired'],
  ['a certificate that is not valid yet', () => look({ url: targets.tls('future') }), 'tls_invalid'],
  ['a certificate of another name', () => look({ url: targets.tls('other-name') }), 'tls_invalid'],
  ['a certificate of an untrusted authority', () => look({ url: targets.tls('other-ca') }), 'tls_invalid'],
  ['TLS where none is spoken', () => look({ url: targets.http.replace('http:', 'https:') }), 'tls_error'],
  ['plain HTTP where TLS is spoken', () => look({ url: targets.tls('valid').replace('https:', 'http:') }), 'connection_reset'],

  ['a port that is open', () => look({ kind: 'tcp', host: '127.0.0.1', port: targets.tcp.open }), null],
  ['a port that is open and silent', () => look({ kind: 'tcp', host: '127.0.0.1', port: targets.tcp.silent }), null],
  ['a port that is closed', () => look({ kind: 'tcp', host: '127.0.0.1', port: targets.tcp.closed }), 'connection_refused'],
  ['a port behind a name', () => look({ kind: 'tcp', host: 'valid.test', port: targets.tcp.open }), null],
  ['a port behind a name that does not resolve', () => look({ kind: 'tcp', host: 'nowhere.test', port: 1 }), 'dns_error'],

  ['a name that resolves', () => look({ kind: 'dns', host: 'valid.test' }), null],
  ['a name that does not', () => look({ kind: 'dns', host: 'nowhere.test' }), 'dns_error'],
  ['a name without an address', () => look({ kind: 'dns', host: 'empty.test' }), 'dns_error'],
  ['a name whose server is broken', () => look({ kind: 'dns', host: 'broken.test' }), 'dns_error'],
  ['a name whose server is silent', () => look({ kind: 'dns', host: 'silent.test', ...soon }), 'timeout'],
  ['a name that leads inside', () => look({ kind: 'dns', host: 'inside.test' }), 'blocked'],
  ['a name that leads inside and outside', () => look({ kind: 'dns', host: 'half-inside.test' }), 'blocked'],
  ['a page behind a name that does not resolve', () => look({ url: 'http://nowhere.test/' }), 'dns_error'],
]

/** Measures a probe from outside; ms, rounded up. */
async function timed<T>(see: () => Promise<T>): Promise<{ passed: number; result: T }> {
  const begin = performance.now()
  const result = await see()
  return { passed: Math.ceil(performance.now() - begin), result }
}

describe('a probe', { concurrency: 8 }, () => {
  for (const [says, see, error] of rows) {
    test(`of ${says}: ${error ?? 'ok'}`, async () => {
      const { passed, result: sight } = await timed(see)
      assert.deepEqual([sight.error, sight.ok], [error, error === null])
      if (sight.ok) assert.ok(sight.ms !== null && sight.ms >= 0 && sight.ms <= passed, `${sight.ms} of ${passed} ms`)
      if (error && !/^(status|keyword|body)_/.test(error)) assert.deepEqual([sight.ms, sight.status], [null, null])
    })
  }
})

test('finds the charset in linear time, however many spaces a header has', () => {
  const spaces = ' '.repeat(1_000_000) // in quadratic time this takes half an hour
  assert.equal(textOf(Buffer.from('Grüße', 'latin1'), `text/html; charset=${spaces};`), 'Grüße')
  assert.equal(textOf(Buffer.from('Grüße'), `text/html; charset =${spaces}"${spaces}utf-8"`), 'Grüße')
})

test('says how long it took, names itself and asks for nothing kept or packed', async () => {
  const { passed, result } = await timed(() => at('/delay/200'))
  const { ms } = result
  assert.ok(ms !== null && ms >= 195 && ms <= passed, `${ms} of ${passed} ms`)
  const headers = targets.requests.at(-1)?.headers
  assert.deepEqual(
    [headers?.['user-agent'], headers?.['accept-encoding'], headers?.['cache-control'], headers?.cookie],
    ['Footfall-Uptime/1.0', 'identity', 'no-cache', undefined],
  )
  await at('/method', { http_method: 'HEAD' })
  assert.equal(targets.requests.at(-1)?.method, 'HEAD')
})

test('a probe returns the earliest expiry and the issuer of a chain, valid or not', async () => {
  const expiries = { valid: 90, expiring: 3, expired: -1, 'other-name': 90, 'other-ca': 90 } as const
  for (const name of ['valid', 'expiring', 'expired', 'other-name', 'other-ca'] as const) {
    const { certificate } = await look({ url: targets.tls(name) })
    assert.equal(certificate?.issuer, name === 'other-ca' ? 'Some Stranger' : 'Footfall Test CA', name)
    assert.ok(Math.abs((certificate.expiresAt ?? 0) - Date.now() - expiries[name] * DAY) < 600_000, name) // signed before the first test
  }
  assert.equal((await at('/')).certificate, null)
  assert.equal((await look({ url: `http://127.0.0.1:${targets.tcp.closed}/` })).certificate, undefined)
})
