/** Cookies along redirects (RFC 6265 §5.3, §5.4). */
import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { cookieJar } from '../../../runtime/outbound/cookies.ts'
import { guardedFetch } from '../../../runtime/outbound/outbound.ts'

const page = 'https://www.example.com/shop/cart'
/** The `Set-Cookie` of the page, the address of the next request, and the `Cookie` of that request. */
const rows: ReadonlyArray<readonly [set: string, to: string, sent: string | undefined]> = [
  ['a=1', 'https://www.example.com/shop/', 'a=1'],
  ['a=1', 'https://www.example.com/shop', 'a=1'],
  ['a=1', 'https://www.example.com/shopping', undefined],
  ['a=1', 'https://www.example.com/', undefined],
  ['a=1; Path=/', 'https://www.example.com/', 'a=1'],
  ['a=1; Path=nonsense', 'https://www.example.com/shop/', 'a=1'],
  ['a=1; path=/; PATH=/other', 'https://www.example.com/', undefined],
  ['a=1; Path=/', 'https://example.com/', undefined],
  ['a=1; Path=/', 'https://other.www.example.com/', undefined],
  ['a=1; Path=/; Domain=example.com', 'https://example.com/', 'a=1'],
  ['a=1; Path=/; Domain=.EXAMPLE.com', 'https://other.example.com/', 'a=1'],
  ['a=1; Path=/; Domain=other.example', 'https://other.example/', undefined],
  ['a=1; Path=/; Domain=www.example.com', 'https://sub.www.example.com/', 'a=1'],
  ['a=1; Path=/; Domain=com', 'https://www.example.com/', undefined],
  ['a=1; Path=/; Domain=ample.com', 'https://ample.com/', undefined],
  ['a=1; Path=/; Secure', 'http://www.example.com/', undefined],
  ['a=1; Path=/; Secure', 'https://www.example.com/', 'a=1'],
  ['a=1; Path=/', 'http://www.example.com:8080/', 'a=1'],
  ['a=1; Path=/; Max-Age=0', 'https://www.example.com/', undefined],
  ['a=1; Path=/; Max-Age=60', 'https://www.example.com/', 'a=1'],
  ['a=1; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'https://www.example.com/', undefined],
  ['a=1; Path=/; Max-Age=9; Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'https://www.example.com/', 'a=1'],
  ['a = "1=2" ; Path=/', 'https://www.example.com/', 'a="1=2"'],
  ['lonely; Path=/', 'https://www.example.com/', 'lonely'],
  ['=; Path=/', 'https://www.example.com/', undefined],
  [`a=${'x'.repeat(5_000)}; Path=/`, 'https://www.example.com/', undefined],
]

describe('a cookie', () => {
  for (const [set, to, sent] of rows) {
    test(`${set.slice(0, 70)} of ${page} is ${sent === undefined ? 'not sent' : 'sent'} to ${to}`, () => {
      const jar = cookieJar()
      jar.keep([set], new URL(page))
      assert.equal(jar.headerFor(new URL(to)), sent)
    })
  }

  test('replaces one of the same name, domain and path, or deletes it; longer paths come first', () => {
    const jar = cookieJar()
    const at = new URL('https://example.com/a/b')
    jar.keep(['a=1; Path=/', 'b=1; Path=/', 'a=2; Path=/a', 'c=1; Path=/'], at)
    jar.keep(['b=2; Path=/', 'c=; Path=/; Max-Age=0'], at)
    assert.equal(jar.headerFor(at), 'a=2; a=1; b=2')
  })

  test('of an address is for that address only', () => {
    const jar = cookieJar()
    jar.keep(['a=1; Path=/; Domain=127.0.0.1', 'b=1; Path=/; Domain=0.0.1'], new URL('http://127.0.0.1/'))
    assert.equal(jar.headerFor(new URL('http://127.0.0.1:8080/')), 'a=1')
  })

  test('of a customer of a host is not sent to another customer', () => {
    const jar = cookieJar()
    jar.keep(['a=1; Path=/; Domain=github.io', 'b=1; Path=/; Domain=one.github.io'], new URL('https://one.github.io/'))
    assert.equal(jar.headerFor(new URL('https://other.github.io/')), undefined)
    assert.equal(jar.headerFor(new URL('https://one.github.io/')), 'b=1')
  })

  test('is one of fifty at most', () => {
    const jar = cookieJar()
    jar.keep(
      Array.from({ length: 60 }, (_, i) => `c${i}=1; Path=/`),
      new URL(page),
    )
    const sent = jar.headerFor(new URL(page))?.split('; ') ?? []
    assert.deepEqual([sent.length, sent[0], sent.at(-1)], [50, 'c10=1', 'c59=1'])
  })
})

test('guardedFetch sends cookies along redirects only if the call wants them', async t => {
  const server = http.createServer(({ headers }, response) => {
    if (headers.cookie === 'a=1') response.end('in')
    else response.writeHead(302, { Location: '/', 'Set-Cookie': 'a=1' }).end()
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const call = { method: 'GET', timeoutMs: 5_000, connectMs: 5_000, maxBytes: 100, redirects: 3, allow: ['127.0.0.0/8'] } as const
  assert.equal(String((await guardedFetch(`http://127.0.0.1:${port}/`, { ...call, cookies: true })).body), 'in')
  await assert.rejects(guardedFetch(`http://127.0.0.1:${port}/`, call), { code: 'too_many_redirects' })
})
