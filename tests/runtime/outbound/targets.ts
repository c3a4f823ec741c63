/**
 * Spellings of targets that no outgoing call may reach; used with webhooks, every kind of check, RDAP and sign-in.
 * `targetsAt(port)` points them at a canary that counts connections to this machine.
 */
import diagnostics from 'node:diagnostics_channel'
import net from 'node:net'
import type { Resolver } from '../../../runtime/outbound/outbound.ts'

export interface Target {
  /** Why it is dangerous. */
  readonly why: string
  readonly url: string
  /** The target as a tcp or dns check would name it, if a bare host can express it. */
  readonly host?: string
}

/** Hosts as written in URLs, by the reason to refuse them. */
const hosts: Readonly<Record<string, readonly string[]>> = {
  'loopback, dotted': ['127.0.0.1', '127.0.0.2', '127.1.2.3', '127.255.255.254', '127.0.0.1.'],
  'loopback, short': ['127.1', '127.0.1', '127.1.', '127.65535', '127.0.256'],
  'loopback, decimal': ['2130706433', '2130706434', '2130706433.'],
  'loopback, hex': [
    '0x7f000001',
    '0x7F000001',
    '0X7f000001',
    '0x7f.1',
    '0x7f.0.0.1',
    '0x7f.0x0.0x0.0x1',
    '0x7f.0x000001',
    '0x0000007f.0.0.1',
  ],
  'loopback, octal': ['017700000001', '0177.0.0.1', '0177.1', '0177.0.0.01', '0000000177.0.0.1', '00000017700000001'],
  'loopback, zero-padded': ['127.0.0.01', '127.000.000.001', '127.0.0.000001'],
  'loopback, mixed bases': ['0x7f.0.1', '0177.0x0.1', '127.0x000001', '127.00.0x0.01', '0x7f.00000001'],
  'loopback, percent-encoded': ['%31%32%37.0.0.1', '127%2e0%2e0%2e1', '%30x7f000001', '%6cocalhost', 'localhos%74'],
  'loopback, other digits and dots': ['１２７.０.０.１', '①②⑦.⓪.⓪.①', '127。0。0。1', '127．0．0．1', '127｡0｡0｡1', '𝟏𝟐𝟕.𝟎.𝟎.𝟏'],
  'loopback, invisible characters': ['127.0.0.\u00ad1', '127.0.0.1\u2060', 'local\u00adhost', 'local\u200bhost'],
  localhost: [
    'localhost',
    'LOCALHOST',
    'LocalHost',
    'localhost.',
    'a.localhost',
    'a.b.localhost.',
    'ⓛocalhost',
    'ｌｏｃａｌｈｏｓｔ',
    'localhoſt',
    'localhost。',
  ],
  unspecified: ['0', '0.0.0.0', '0x0', '00', '0.0', '0.1.2.3', '[::]', '[0:0:0:0:0:0:0:0]', '[::0.0.0.0]'],
  'IPv6 loopback': ['[::1]', '[0:0:0:0:0:0:0:1]', '[0000:0000:0000:0000:0000:0000:0000:0001]', '[::0001]', '[0::1]', '[::0.0.0.1]'],
  'IPv4 mapped into IPv6': [
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::FFFF:7F00:0001]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[0:0:0:0:0:ffff:7f00:1]',
    '[0000:0000:0000:0000:0000:ffff:7f00:0001]',
    '[::ffff:10.0.0.1]',
    '[::ffff:169.254.169.254]',
    '[::ffff:a9fe:a9fe]',
    '[::ffff:0.0.0.0]',
    '[::ffff:192.168.1.1]',
  ],
  'IPv4-compatible IPv6': ['[::127.0.0.1]', '[::7f00:1]', '[::10.0.0.1]', '[::a9fe:a9fe]'],
  'no brackets, and zones': [
    '::1',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    '::1%lo',
    '[::1%lo]',
    '::1%25lo',
    'fe80::1%eth0',
    '[fe80::1%eth0]',
    '127.0.0.1%lo',
    '127.0.0.1%25lo',
  ],
  'IPv4-translated IPv6': ['[::ffff:0:127.0.0.1]', '[::ffff:0:7f00:1]'],
  NAT64: [
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::10.0.0.1]',
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b:1::7f00:1]',
    '[64:ff9b:1:fffe::1]',
  ],
  '6to4': ['[2002:7f00:1::]', '[2002:7f00:0001::1]', '[2002:a00:1::]', '[2002:a9fe:a9fe::]', '[2002:c0a8:101::1]'],
  Teredo: ['[2001::7f00:1]', '[2001:0:4136:e378:8000:63bf:80ff:fffe]', '[2001:0000::1]'],
  private: [
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.254',
    '192.168.0.1',
    '192.168.255.255',
    '167772161',
    '0xa000001',
    '012.0.0.1',
    '0xc0a80001',
    '3232235521',
    '192.168.257',
    '10.1',
  ],
  'shared (carrier-grade NAT)': ['100.64.0.1', '100.127.255.254', '100.100.100.200', '1681915905'],
  'link-local': ['169.254.0.1', '169.254.255.254', '[fe80::1]', '[fe80::ffff:1]', '[febf::1]'],
  'metadata of clouds': [
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '0xA9.0xFE.0xA9.0xFE',
    '169.254.43518',
    '169.16689662',
    '169.254.169.254.',
    '169.254.170.2',
    '169.254.169.253',
    '192.0.0.192',
    '168.63.129.16',
    '0xa83f8110',
    '[::ffff:168.63.129.16]',
    '[fd00:ec2::254]',
    '[fd20:ce::254]',
    'metadata.google.internal',
    'metadata.google.internal.',
    'METADATA.GOOGLE.INTERNAL',
    'metadata',
    'instance-data.ec2.internal',
  ],
  'unique local and site-local': ['[fc00::1]', '[fd00::1]', '[fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]', '[fec0::1]'],
  'multicast and broadcast': ['224.0.0.1', '239.255.255.255', '255.255.255.255', '4294967295', '[ff02::1]', '[ff0e::1]'],
  'reserved, documentation, benchmarking': [
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '240.0.0.1',
    '254.1.1.1',
    '192.88.99.1',
    '[100::1]',
    '[2001:db8::1]',
    '[2001:2::1]',
    '[2001:10::1]',
    '[2001:20::1]',
    '[3fff::1]',
    '[5f00::1]',
    '[4000::1]',
    '[1::1]',
    '[fe00::1]',
  ],
  'names that lead inside': [
    'inside.test',
    'inside.test.',
    'INSIDE.test',
    'inside。test',
    '127.0.0.1.nip.test',
    'both.test',
    'both-reversed.test',
    'one-in-nine.test',
    'six.test',
    'mapped.test',
    'nat64.test',
    'sixtofour.test',
    'zero.test',
    'link.test',
    'unique-local.test',
    'compatible.test',
    'bücher.test',
    'xn--bcher-kva.test',
    'printer.local',
  ],
}

/** Answers of the tests' resolver; its public addresses are never called. */
const records: Readonly<Record<string, readonly string[]>> = {
  'metadata.google.internal': ['169.254.169.254'],
  metadata: ['169.254.169.254'],
  'instance-data.ec2.internal': ['169.254.169.254'],
  'inside.test': ['127.0.0.1'],
  '127.0.0.1.nip.test': ['127.0.0.1'],
  'both.test': ['93.184.216.34', '127.0.0.1'],
  'both-reversed.test': ['127.0.0.1', '93.184.216.34'],
  'one-in-nine.test': [...Array.from({ length: 8 }, (_, i) => `93.184.216.${i + 1}`), '10.0.0.1'],
  'six.test': ['::1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'nat64.test': ['64:ff9b::7f00:1'],
  'sixtofour.test': ['2002:7f00:1::'],
  'zero.test': ['0.0.0.0'],
  'link.test': ['169.254.10.10'],
  'unique-local.test': ['fd12:3456::1'],
  'compatible.test': ['::127.0.0.1'],
  'xn--bcher-kva.test': ['127.0.0.1'],
  'printer.local': ['192.168.1.20'],
}
export const insideResolver: Resolver = async name => records[name] ?? []

/** Whole URLs that look like one target and mean another, or are not HTTP. */
const urls: Readonly<Record<string, (port: number) => readonly string[]>> = {
  'a name in front of the host': port => [
    `http://example.com@127.0.0.1:${port}/`,
    `http://example.com:80@127.0.0.1:${port}/`,
    `http://user:password@127.0.0.1:${port}/`,
    `http://:password@127.0.0.1:${port}/`,
    `http://@127.0.0.1:${port}/`,
    `http://example.com%00@127.0.0.1:${port}/`,
    `http://a@b@127.0.0.1:${port}/`,
    `http://example.com%40evil@127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}@127.0.0.1:${port}/`,
    `http://example.com&@127.0.0.1:${port}#@example.com/`,
    `https://example.com:443@[::1]:${port}/`,
  ],
  'slashes, marks and controls': port => [
    `http://127.0.0.1:${port}\\@example.com/`,
    `http:\\\\127.0.0.1:${port}\\`,
    `http:/127.0.0.1:${port}/`,
    `http:127.0.0.1:${port}/`,
    `http:////127.0.0.1:${port}/`,
    `http:///127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}#@example.com/`,
    `http://127.0.0.1:${port}?@example.com/`,
    `http://127.0.0.1:${port}/@example.com`,
    `http://127.0.0.1:${port};.example.com/`,
    `\thttp://127.0.0.1:${port}/`,
    `ht\ntp://127.0.0.1:${port}/`,
    `http://127.0.\t0.1:${port}/`,
    `http://127.0.0.1\r\n:${port}/`,
    ` http://127.0.0.1:${port}/ `,
    `http://[::1]\t:${port}/`,
    `HTTP://127.0.0.1:${port}/`,
    `hTTps://127.0.0.1:${port}/`,
    `http://127.0.0.1:0${port}/`,
    `http://127.0.0.1%09:${port}/`,
    `http://127.0.0.1%00.example.com:${port}/`,
    `http://[::1%25lo]:${port}/`,
    `http://[fe80::1%25eth0]:${port}/`,
    `http://[::ffff:127.0.0.1%25]:${port}/`,
    `http://[127.0.0.1]:${port}/`,
    `http://..127.0.0.1:${port}/`,
    `http://127.0.0.1 .example.com:${port}/`,
    `http://127.0.0.0x1:${port}/`,
    `http://0x100000000:${port}/`,
    `http://4294967296:${port}/`,
    `http://256.0.0.1:${port}/`,
    `http://127.0.0.08:${port}/`,
  ],
  'other schemes': port => [
    `ftp://127.0.0.1:${port}/`,
    `gopher://127.0.0.1:${port}/_GET`,
    `ws://127.0.0.1:${port}/`,
    `wss://127.0.0.1:${port}/`,
    `file:///etc/passwd`,
    `file://127.0.0.1/etc/passwd`,
    `data:text/plain,x`,
    `javascript:fetch('http://127.0.0.1:${port}')`,
    `blob:http://127.0.0.1:${port}/x`,
    `dict://127.0.0.1:${port}/`,
    `unix:/var/run/docker.sock`,
    `http+unix://%2Fvar%2Frun%2Fdocker.sock/info`,
    `jar:http://127.0.0.1:${port}!/`,
    `view-source:http://127.0.0.1:${port}/`,
    `//127.0.0.1:${port}/`,
    `127.0.0.1:${port}`,
    '',
    'http://',
    'http://:80/',
    'http://./',
  ],
}

export function targetsAt(port: number): readonly Target[] {
  const named = Object.entries(hosts).flatMap(([why, spellings]) => spellings.map(host => ({ why, host, url: `http://${host}:${port}/` })))
  return [...named, ...Object.entries(urls).flatMap(([why, at]) => at(port).map(url => ({ why, url })))]
}

export interface Canary {
  readonly port: number
  /** Connections so far; there must be none. */
  connections(): number
  close(): Promise<void>
}

/** Listens on every address of this machine, IPv4 and IPv6. */
export async function startCanary(): Promise<Canary> {
  let seen = 0
  const server = net.createServer(socket => {
    seen++
    socket
      .on('error', () => {})
      .resume()
      .end('HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\ncanary')
  })
  const listen = (host: string) => new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve))
  await listen('::').catch(() => listen('0.0.0.0'))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the canary has no port')
  return { port: address.port, connections: () => seen, close: () => new Promise(resolve => server.close(() => resolve())) }
}

export interface SocketCount {
  opened(): number
  stop(): void
}

/** Counts the sockets that this process opens to other hosts. */
export function countSockets(): SocketCount {
  let opened = 0
  const count = () => {
    opened++
  }
  diagnostics.subscribe('net.client.socket', count)
  return { opened: () => opened, stop: () => diagnostics.unsubscribe('net.client.socket', count) }
}
