/** Real targets on this machine: HTTP, TLS, TCP and DNS servers that answer, delay, abort and lie. */
import dns from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import tls from 'node:tls'
import zlib from 'node:zlib'
import { dns2 } from '../../../tools/dns2.mjs'
import type { Guard } from '../../../runtime/outbound/outbound.ts'
import { makeAuthority } from '../../runtime/outbound/certificates.ts'

const DAY = 86_400_000

export interface Targets {
  /** `http://127.0.0.1:…`, `https://{name}.test:…`: certificates by name. */
  readonly http: string
  tls(name: CertificateName): string
  /** Ports of tcp targets. */
  readonly tcp: { readonly open: number; readonly closed: number; readonly silent: number; readonly reset: number }
  readonly guard: Guard
  /** Requests that the HTTP server has received. */
  readonly requests: http.IncomingMessage[]
  /** The answer of `/switch`. */
  readonly page: { status: number; body: string; delayMs: number }
  close(): Promise<void>
}

export type CertificateName = 'valid' | 'expiring' | 'expired' | 'future' | 'other-name' | 'other-ca'

const records: Readonly<Record<string, readonly string[]>> = {
  'valid.test': ['127.0.0.1'],
  'expiring.test': ['127.0.0.1'],
  'expired.test': ['127.0.0.1'],
  'future.test': ['127.0.0.1'],
  'other-name.test': ['127.0.0.1'],
  'other-ca.test': ['127.0.0.1'],
  'inside.test': ['10.1.2.3'],
  'half-inside.test': ['127.0.0.1', '10.1.2.3'],
  'empty.test': [],
}

export async function startTargets(): Promise<Targets> {
  const servers: net.Server[] = []
  const listen = async <S extends net.Server>(server: S): Promise<number> => {
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
    servers.push(server)
    return portOf(server)
  }
  const requests: http.IncomingMessage[] = []
  const page = { status: 200, body: 'Welcome to the shop', delayMs: 0 }
  const answer = (request: http.IncomingMessage, response: http.ServerResponse) => {
    requests.push(request)
    respond(request, response, page)
  }
  const httpPort = await listen(http.createServer(answer))

  const [authority, stranger] = await Promise.all([makeAuthority('Footfall Test CA'), makeAuthority('Some Stranger')])
  const signed: Record<CertificateName, tls.SecureContext> = {
    valid: context(await authority.sign(['valid.test'])),
    expiring: context(await authority.sign(['expiring.test'], { until: Date.now() + 3 * DAY })),
    expired: context(await authority.sign(['expired.test'], { from: Date.now() - 90 * DAY, until: Date.now() - DAY })),
    future: context(await authority.sign(['future.test'], { from: Date.now() + DAY, until: Date.now() + 90 * DAY })),
    'other-name': context(await authority.sign(['somewhere.test'])),
    'other-ca': context(await stranger.sign(['other-ca.test'])),
  }
  const tlsPort = await listen(
    https.createServer(
      {
        SNICallback: (name, done) => done(null, signed[name.replace(/\.test$/, '') as CertificateName] ?? signed.valid),
      },
      answer,
    ),
  )

  const tcp = {
    open: await listen(net.createServer(socket => socket.on('error', () => {}).end())),
    silent: await listen(
      net.createServer(socket => {
        socket.on('error', () => {})
      }),
    ),
    reset: await listen(
      net.createServer(socket => {
        socket.on('error', () => {}).resetAndDestroy()
      }),
    ),
    closed: await closedPort(),
  }
  const { port: dnsPort, stop } = await startDns()
  const resolver = new dns.Resolver({ timeout: 30_000, tries: 1 }) // only checks set limits
  resolver.setServers([`127.0.0.1:${dnsPort}`])

  return {
    http: `http://127.0.0.1:${httpPort}`,
    tls: name => `https://${name}.test:${tlsPort}`,
    tcp,
    requests,
    page,
    guard: { allow: ['127.0.0.0/8'], ca: authority.ca, resolver: name => resolver.resolve4(name) },
    async close() {
      resolver.cancel()
      await stop()
      for (const server of servers) {
        if (server instanceof http.Server || server instanceof https.Server) server.closeAllConnections()
        server.close()
      }
    },
  }
}

function respond(
  { url = '/', method, headers: { cookie = '' } }: http.IncomingMessage,
  response: http.ServerResponse,
  page: Targets['page'],
): void {
  const [, kind, value = ''] = /^\/(\w+)(?:\/(.*))?$/.exec(decodeURI(url)) ?? []
  switch (kind) {
    case undefined:
      return void response.end('Welcome to the shop')
    case 'status':
      return void response.writeHead(Number(value)).end()
    case 'delay':
      return void setTimeout(() => response.end('late'), Number(value)).unref()
    case 'drip':
      return drip(response)
    case 'redirect':
      return void response.writeHead(302, { Location: Number(value) > 0 ? `/redirect/${Number(value) - 1}` : '/' }).end()
    case 'to':
      return void response.writeHead(301, { Location: decodeURIComponent(value) }).end()
    case 'reset':
      return void response.socket?.resetAndDestroy()
    case 'cut':
      return void response.writeHead(200, { 'Content-Length': '1000' }).write('half of', () => response.socket?.destroy())
    case 'latin1':
      return void response.writeHead(200, { 'Content-Type': 'text/html; charset=iso-8859-1' }).end(Buffer.from('caf\u00e9', 'latin1'))
    case 'charset':
      return void response.writeHead(200, { 'Content-Type': 'text/html; charset=nobody-knows' }).end('Welcome')
    case 'long':
      return void response.end(`${'x'.repeat(Number(value))}needle`)
    case 'as': // a body in a coding that was not asked for
      return void response
        .writeHead(200, { 'Content-Encoding': value.replace('raw-', '') })
        .end(encoded(value, Buffer.from('Welcome to the shop')))
    case 'bomb':
      return void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(zlib.gzipSync(Buffer.alloc(20_000_000, 'x')))
    case 'chars': {
      const { type, bytes } = pages[value] ?? { type: 'text/html', bytes: Buffer.alloc(0) }
      return void response.writeHead(200, { 'Content-Type': type }).end(bytes)
    }
    case 'enter': // the first answer sets a cookie, and only its bearer gets in
      if (/(^|; )seen=yes($|;)/.test(cookie)) return void response.end(`Welcome, ${cookie}`)
      return void response.writeHead(302, { Location: '/enter', 'Set-Cookie': ['seen=yes; Path=/; HttpOnly', 'gone=1; Max-Age=0'] }).end()
    case 'method':
      return void response.end(method)
    case 'switch':
      return void setTimeout(() => response.writeHead(page.status).end(page.body), page.delayMs)
    default:
      return void response.writeHead(404).end()
  }
}

const codings: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: zlib.gzipSync,
  'x-gzip': zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: zlib.brotliCompressSync,
  zstd: bytes => {
    const compress: unknown = Reflect.get(zlib, 'zstdCompressSync')
    return typeof compress === 'function' ? compress(bytes) : bytes
  },
}
/** @param names such as `gzip, br`; a name that starts with `raw-` or is unknown leaves the bytes as they are */
const encoded = (names: string, bytes: Buffer): Buffer => names.split(', ').reduce((sum, name) => codings[name]?.(sum) ?? sum, bytes)

/** Pages that say Grüße or their like, and in which bytes. */
const html = (head: string, bytes: Buffer) => Buffer.concat([Buffer.from(`<!doctype html><html><head>${head}</head>`), bytes])
const pages: Readonly<Record<string, { type: string; bytes: Buffer }>> = {
  meta: { type: 'text/html', bytes: html('<meta charset="ISO-8859-1">', Buffer.from('Gr\u00fc\u00dfe', 'latin1')) },
  'meta-http': {
    type: 'text/html',
    bytes: html(`<meta http-equiv="Content-Type" content="text/html; charset=shift_jis">`, Buffer.from('93fa967b8cea', 'hex')),
  },
  commented: {
    type: 'text/html',
    bytes: html('<!-- <meta charset="koi8-r"> --><meta charset=windows-1251>', Buffer.from('cff0e8e2e5f2', 'hex')),
  },
  xml: { type: 'application/xml', bytes: Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><p>Gr\u00fc\u00dfe</p>', 'latin1') },
  header: { type: 'text/html; charset=iso-8859-1', bytes: html('<meta charset="utf-8">', Buffer.from('Gr\u00fc\u00dfe', 'latin1')) },
  mark: {
    type: 'text/html; charset=iso-8859-1',
    bytes: Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.from('Gr\u00fc\u00dfe', 'utf16le')]),
  },
  undeclared: { type: 'text/html', bytes: html('', Buffer.from('Gr\u00fc\u00dfe', 'latin1')) },
  'undeclared-utf8': { type: 'text/html', bytes: html('', Buffer.from('Gr\u00fc\u00dfe')) },
}

function drip(response: http.ServerResponse): void {
  response.writeHead(200)
  const timer = setInterval(() => response.write('.'), 20)
  response.on('close', () => clearInterval(timer))
}

async function startDns(): Promise<{ port: number; stop(): Promise<void> }> {
  const { Packet } = dns2
  const server = dns2.createServer({
    udp: true,
    handle(request, send) {
      const [question] = request.questions
      const name = question?.name.toLowerCase() ?? ''
      if (name === 'silent.test') return
      const response = Packet.createResponseFromRequest(request)
      if (name === 'broken.test')
        response.header.rcode = 2 // SERVFAIL
      else if (!Object.hasOwn(records, name))
        response.header.rcode = 3 // NXDOMAIN
      else if (question?.type === Packet.TYPE.A) {
        for (const address of records[name] ?? []) response.answers.push(Packet.createResourceFromQuestion(question, { ttl: 0, address }))
      }
      send(response)
    },
  })
  const addresses = await server.listen({ udp: { port: 0, address: '127.0.0.1' } })
  return {
    port: addresses.udp?.port ?? 0,
    stop: async () => {
      await server.close()
    },
  }
}

function context({ cert, key }: { cert: string; key: string }): tls.SecureContext {
  return tls.createSecureContext({ cert, key })
}

async function closedPort(): Promise<number> {
  const server = net.createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)
  await new Promise(resolve => server.close(resolve))
  return port
}

function portOf(server: net.Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
