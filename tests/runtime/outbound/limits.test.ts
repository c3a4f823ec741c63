/** Hostile or dead servers can use up a call's time limit, and nothing more. */
import assert from 'node:assert/strict'
import http from 'node:http'
import https from 'node:https'
import net, { type AddressInfo } from 'node:net'
import tls from 'node:tls'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { after, before, describe, test } from 'node:test'
import { guardedConnect, guardedFetch, OutboundError, type OutboundRequest, resolvePublic } from '../../../runtime/outbound/outbound.ts'
import { until } from '../tasks/tasks.ts'
import { type Authority, makeAuthority } from './certificates.ts'

const get: OutboundRequest = {
  method: 'GET',
  timeoutMs: 3_000,
  connectMs: 1_000,
  maxBytes: 1_000,
  redirects: 0,
  allow: ['127.0.0.0/8', '::1'],
}

const open = new Set<net.Server>()
async function listening(server: net.Server, host = '127.0.0.1', port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  open.add(server)
  return (server.address() as AddressInfo).port
}
after(() => {
  for (const server of open) server.close()
})

/** A server that writes these bytes to every client, and then may close the connection. */
const raw = (answer: string | Buffer, close = true) =>
  listening(
    net.createServer(socket => {
      socket
        .on('error', () => {})
        .once('data', () => {
          if (close) socket.end(answer)
          else socket.write(answer)
        })
    }),
  )
const fetchRaw = async (answer: string | Buffer, close?: boolean, more: Partial<OutboundRequest> = {}) =>
  guardedFetch(`http://127.0.0.1:${await raw(answer, close)}/`, { ...get, ...more })

describe('an answer', () => {
  test('comes whole, with its status, headers, final address and duration', async () => {
    const began = performance.now()
    const { status, headers, body, truncated, ms, certificate } = await fetchRaw(
      'HTTP/1.1 201 Created\r\nX-One: a\r\nx-one: b\r\nContent-Length: 2\r\n\r\nhi',
    )
    assert.deepEqual([status, headers['x-one'], String(body), truncated, certificate], [201, 'a, b', 'hi', false, null])
    assert.ok(ms >= 0 && ms <= Math.ceil(performance.now() - began))
  })

  test('longer than what is read is cut and not read on', async () => {
    let sent = 0
    let ended = false
    const port = await listening(
      http.createServer((_, response) => {
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(16_384))) sent += 16_384
        }
        response.on('drain', more).on('close', () => {
          ended = true
        })
        more()
      }),
    )
    const { body, truncated } = await guardedFetch(`http://127.0.0.1:${port}/`, { ...get, maxBytes: 65_536 })
    assert.deepEqual([body.length, truncated], [65_536, true])
    await until(() => ended)
    assert.ok(sent < 20_000_000, `${sent} bytes sent`)
  })

  test('of exactly the limit is whole', async () => {
    const { body, truncated } = await fetchRaw(`HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n${'x'.repeat(1_000)}`)
    assert.deepEqual([body.length, truncated], [1_000, false])
  })

  test('that is compressed unasked is not blown up', async () => {
    const packed = gzipSync(Buffer.alloc(5_000_000))
    const { body } = await fetchRaw(
      Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`), packed]),
    )
    assert.equal(body.length, 1_000)
  })

  test('that is compressed is read, and shown as it came where it is not what it says', async () => {
    const packed = gzipSync('hello')
    const head = (encoding: string, body: Buffer) =>
      Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${body.length}\r\n\r\n`)
    const rows: ReadonlyArray<readonly [encoding: string, body: Buffer, text: string, isDecoded: boolean]> = [
      ['gzip', packed, 'hello', true],
      ['GZIP', packed, 'hello', true],
      ['gzip, gzip', gzipSync(packed), 'hello', true],
      ['deflate', deflateSync('hello'), 'hello', true],
      ['deflate', deflateRawSync('hello'), 'hello', true],
      ['br', brotliCompressSync('hello'), 'hello', true],
      ['gzip', gzipSync('hello'.repeat(10_000)).subarray(0, -4), 'hello'.repeat(200), true], // cut after 1,000 bytes
      ['gzip', packed.subarray(0, -4), 'hello', false], // its checksum is missing
      ['gzip', Buffer.alloc(0), '', true],
      ['gzip', Buffer.from('hello'), 'hello', false],
      ['br', Buffer.from('hello'), 'hello', false],
      ['compress', Buffer.from('hello'), 'hello', false],
      ['__proto__', Buffer.from('hello'), 'hello', false],
      ['gzip, gzip, gzip, gzip', Buffer.from('hello'), 'hello', false],
      ['', Buffer.from('hello'), 'hello', true],
    ]
    for (const [encoding, body, text, isDecoded] of rows) {
      const answer = await fetchRaw(Buffer.concat([head(encoding, body), body]))
      assert.deepEqual([String(answer.body), answer.isDecoded, answer.truncated], [text, isDecoded, text.length === 1_000], encoding)
    }
  })

  test('of which there was an interim one before, asked for or not, is the final one', async () => {
    const interim = ['100 Continue', '102 Processing', '103 Early Hints\r\nLink: </a.css>; rel=preload', '199 Whatever']
    for (const before of [...interim, interim.join('\r\n\r\nHTTP/1.1 ')]) {
      const { status, headers, body } = await fetchRaw(`HTTP/1.1 ${before}\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nhi`)
      assert.deepEqual([status, headers.link, String(body)], [201, undefined, 'hi'], before)
    }
    assert.equal(await codeOf(fetchRaw('HTTP/1.1 100 Continue\r\n\r\n')), 'connection_reset')
    assert.equal(await codeOf(fetchRaw('HTTP/1.1 100 Continue\r\n\r\n', false, { timeoutMs: 250 })), 'timeout')
  })

  test('has header values in UTF-8, and in Latin-1 where they are none', async () => {
    const { headers } = await fetchRaw(
      Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-New: café\r\nX-Old: '), Buffer.from('café\r\n\r\n', 'latin1')]),
    )
    assert.deepEqual([headers['x-new'], headers['x-old']], ['café', 'café'])
  })

  test('has headers with the names of properties of objects', async () => {
    const { headers } = await fetchRaw('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n__proto__: a\r\n__proto__: b\r\nconstructor: c\r\n\r\n')
    assert.deepEqual(Object.entries(headers), [
      ['content-length', '0'],
      ['__proto__', 'a, b'],
      ['constructor', 'c'],
    ])
    assert.equal(Object.getPrototypeOf(headers), Object.prototype)
  })

  test('to HEAD has no body, and one to POST sees what was sent', async () => {
    const port = await listening(
      http.createServer((request, response) => {
        void request.toArray().then(chunks => response.end(`${request.method} ${Buffer.concat(chunks)}`))
      }),
    )
    assert.equal((await guardedFetch(`http://127.0.0.1:${port}/`, { ...get, method: 'HEAD' })).body.length, 0)
    assert.equal(String((await guardedFetch(`http://127.0.0.1:${port}/`, { ...get, method: 'POST', body: 'ü' })).body), 'POST ü')
  })

  test('cut off, of another protocol, with endless or too many headers is a fault with a code', async () => {
    const cases: ReadonlyArray<readonly [answer: string, code: string]> = [
      ['', 'connection_reset'],
      ['HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort', 'connection_reset'],
      ['SSH-2.0-OpenSSH_9.6\r\n', 'protocol_error'],
      ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\nhi', 'protocol_error'],
      [`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, 'protocol_error'],
      ['HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n', 'connection_reset'],
    ]
    for (const [answer, code] of cases) {
      const got = await codeOf(fetchRaw(answer))
      // If the peer closes in the middle of a refused answer, that error may come first.
      assert.ok(got === code || (code === 'protocol_error' && got === 'connection_reset'), `${JSON.stringify(answer.slice(0, 40))}: ${got}`)
    }
  })
})

describe('time', () => {
  const patient = { ...get, timeoutMs: 600_000, connectMs: 600_000 } // a call that waits for these is ended by the timeout of the tests
  const quick = { timeoutMs: 250, connectMs: 150 }
  test('ends a call to a server that accepts and says nothing, or drips its headers or its body', async () => {
    assert.equal(await codeOf(fetchRaw('', false, quick)), 'timeout')
    for (const head of ['HTTP/1.1 200 OK\r\nX: ', 'HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n']) {
      const port = await listening(
        net.createServer(socket => {
          socket.on('error', () => {}).write(head)
          const drip = setInterval(() => socket.write('x'), 20)
          socket.on('close', () => clearInterval(drip))
        }),
      )
      assert.equal(await codeOf(guardedFetch(`http://127.0.0.1:${port}/`, { ...patient, ...quick })), 'timeout')
    }
  })

  test('ends a handshake that hangs, and a name that does not answer, at the limit to connect', async () => {
    const silent = await listening(
      net.createServer(socket => {
        socket.on('error', () => {}).resume()
      }),
    )
    assert.equal(await codeOf(guardedFetch(`https://127.0.0.1:${silent}/`, { ...patient, connectMs: 150 })), 'timeout')
    const never = { ...patient, connectMs: 150, resolver: () => new Promise<string[]>(() => {}) }
    assert.equal(await codeOf(guardedFetch('http://slow.test/', never)), 'timeout')
    assert.equal(await codeOf(resolvePublic('slow.test', 100, never)), 'timeout')
  })

  test('is the whole of all redirects together', async () => {
    const port = await listening(
      http.createServer((_, response) => {
        setTimeout(() => response.writeHead(302, { Location: '/' }).end(), 80)
      }),
    )
    assert.equal(await codeOf(guardedFetch(`http://127.0.0.1:${port}/`, { ...patient, timeoutMs: 250, redirects: 5 })), 'timeout')
  })

  test('is over when whoever asked goes away', async () => {
    const asking = new AbortController()
    setTimeout(() => asking.abort(), 50)
    assert.equal(await codeOf(fetchRaw('', false, { ...patient, signal: asking.signal })), 'timeout')
    assert.equal(await codeOf(fetchRaw('', false, { ...patient, signal: AbortSignal.abort() })), 'timeout')
  })
})

describe('connections', () => {
  test('go to the next address of a name when the first refuses, and the refusal is said when all do', async () => {
    const port = await listening(
      net.createServer(socket => {
        socket.on('error', () => {}).end('hello')
      }),
      '127.0.0.3',
    )
    const { socket, address } = await guardedConnect({
      host: 'two.test',
      port,
      limits: { connectMs: 1_000, tls: false },
      guard: { ...get, resolver: async () => ['127.0.0.2', '127.0.0.3'] },
    })
    socket.destroy()
    assert.equal(address, '127.0.0.3')
    assert.equal(
      await codeOf(guardedConnect({ host: '127.0.0.2', port, limits: { connectMs: 1_000, tls: false }, guard: get })),
      'connection_refused',
    )
    assert.equal(await codeOf(guardedFetch(`http://127.0.0.2:${port}/`, get)), 'connection_refused')
  })

  test('send a name to the name it is, on an address that was checked', async () => {
    const port = await listening(
      http.createServer((request, response) => {
        response.end(request.headers.host)
      }),
    )
    const { body } = await guardedFetch(`http://shop.test:${port}/`, { ...get, resolver: async () => ['127.0.0.1'] })
    assert.equal(String(body), `shop.test:${port}`)
  })

  test('take no proxy from the environment', async () => {
    const port = await listening(
      http.createServer((_, response) => {
        response.end('direct')
      }),
    )
    const proxy = await raw('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nproxy')
    const before = { ...process.env }
    for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'ALL_PROXY'])
      process.env[name] = `http://127.0.0.1:${proxy}`
    process.env.NODE_USE_ENV_PROXY = '1'
    try {
      assert.equal(String((await guardedFetch(`http://127.0.0.1:${port}/`, get)).body), 'direct')
    } finally {
      process.env = before
    }
  })

  test('that are cut off at any byte end in a fault, never in silence', async () => {
    const whole = 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc'
    for (let at = 0; at < whole.length; at += 3) {
      const port = await listening(
        net.createServer(socket => {
          socket.on('error', () => {}).once('data', () => socket.write(whole.slice(0, at), () => socket.resetAndDestroy()))
        }),
      )
      assert.match(await codeOf(guardedFetch(`http://127.0.0.1:${port}/`, get)), /^(connection_reset|protocol_error)$/, String(at))
    }
  })
})

describe('TLS', () => {
  let authority: Authority
  const serve = async (signed: { cert: string; key: string }, options: https.ServerOptions = {}) =>
    listening(
      https
        .createServer({ ...signed, ...options }, (_, response) => {
          response.end('secret')
        })
        .on('tlsClientError', () => {}),
    )
  const ask = (host: string, port: number, ca: string | null = authority.ca) =>
    guardedFetch(`https://${host}:${port}/`, { ...get, ca: ca ?? undefined, resolver: async () => ['127.0.0.1'] })
  before(async () => {
    authority = await makeAuthority()
  })

  test('holds for a name and an address that the certificate names, and shows the chain', async () => {
    const port = await serve(await authority.sign(['shop.test', '127.0.0.1']))
    for (const host of ['shop.test', '127.0.0.1']) {
      const { body, certificate } = await ask(host, port)
      assert.deepEqual([String(body), certificate?.issuer.O], ['secret', 'Footfall Test CA'])
    }
  })

  test('does not hold for another name, another authority, the past, the future or no authority at all; nothing is sent', async () => {
    let requests = 0
    const serving = async (signed: { cert: string; key: string }) =>
      listening(
        https
          .createServer(signed, (_, response) => {
            requests++
            response.end()
          })
          .on('tlsClientError', () => {}),
      )
    const right = await serving(await authority.sign(['shop.test']))
    assert.equal(await codeOf(ask('other.test', right)), 'tls_invalid')
    assert.equal(await codeOf(ask('127.0.0.1', right)), 'tls_invalid')
    assert.equal(await codeOf(ask('shop.test', right, null)), 'tls_invalid', 'a certificate no machine trusts')
    assert.equal(await codeOf(ask('shop.test', right, (await makeAuthority()).ca)), 'tls_invalid')
    const day = 86_400_000
    assert.equal(
      await codeOf(
        ask('shop.test', await serving(await authority.sign(['shop.test'], { from: Date.now() - 9 * day, until: Date.now() - day }))),
      ),
      'tls_expired',
    )
    assert.equal(
      await codeOf(ask('shop.test', await serving(await authority.sign(['shop.test'], { from: Date.now() + day })))),
      'tls_invalid',
    )
    assert.equal(requests, 0)
  })

  test('that does not hold still tells what the certificate was', async () => {
    const until = Date.now() - 86_400_000
    const port = await serve(await authority.sign(['shop.test'], { from: until - 86_400_000, until }))
    const error = await ask('shop.test', port).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof OutboundError && error.certificate)
    assert.equal(Math.floor(Date.parse(error.certificate.valid_to) / 1_000), Math.floor(until / 1_000))
  })

  test('that is none is a fault of TLS, and old versions are', async () => {
    assert.match(await codeOf(ask('127.0.0.1', await raw('HTTP/1.1 400 Bad Request\r\n\r\n'))), /^tls_error$/)
    const old = await serve(await authority.sign(['shop.test']), { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'ALL@SECLEVEL=0' })
    assert.equal(await codeOf(ask('shop.test', old)), 'tls_error')
  })

  test('a connection without HTTP is one as well', async () => {
    const port = await listening(
      tls.createServer(await authority.sign(['mail.test']), socket => {
        socket.on('error', () => {}).end('220 ready')
      }),
    )
    const { socket, certificate } = await guardedConnect({
      host: 'mail.test',
      port,
      limits: { connectMs: 1_000, tls: true },
      guard: { ...get, ca: authority.ca, resolver: async () => ['127.0.0.1'] },
    })
    assert.equal(certificate?.subject.CN, 'mail.test')
    socket.destroy()
  })
})

async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'answered'
  } catch (error) {
    return error instanceof OutboundError ? error.code : String(error)
  }
}
