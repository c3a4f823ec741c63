/** Real receivers on this machine: a mail server and a web server. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from '../../../tools/smtp-server.mjs'
import { withBody } from '../../support/with-body.ts'

export interface Mail {
  readonly to: readonly string[]
  readonly from: string
  /** Headers by lower-case name, and the text, both decoded. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The HTML part, if there is one. */
  readonly html: string
  /** Content types of all parts. */
  readonly types: readonly string[]
}

export interface MailServer {
  readonly url: string
  readonly mails: Mail[]
  /** Mailbox prefix to refuse, and an error to answer mails with. */
  refusing: { mailbox?: string; mail?: { code: number; times: number } }
  close(): Promise<void>
}

export async function startMailServer(): Promise<MailServer> {
  const mails: Mail[] = []
  const started: Pick<MailServer, 'refusing'> = { refusing: {} }
  const refusal = (code: number) => Object.assign(new Error('Refused'), { responseCode: code })
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _, done) =>
      done(started.refusing.mailbox && address.startsWith(started.refusing.mailbox) ? refusal(550) : null),
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mail } = started.refusing
        if (mail && mail.times-- > 0) return done(refusal(mail.code))
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        mails.push({ to: envelope.rcptTo.map(({ address }) => address), from, ...parsed(Buffer.concat(chunks).toString('utf8')) })
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const { port } = server.server.address() as AddressInfo
  return Object.assign(started, { url: `smtp://127.0.0.1:${port}`, mails, close: () => new Promise<void>(closed => server.close(closed)) })
}

function parsed(raw: string): Pick<Mail, 'headers' | 'text' | 'html' | 'types'> {
  const [head = '', ...body] = raw.split('\r\n\r\n')
  const headers = Object.fromEntries(
    head
      .replaceAll(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map(line => {
        const [name = '', ...value] = line.split(':')
        return [name.toLowerCase(), decodedWords(value.join(':').trim())]
      }),
  )
  const parts = [...leaves(headers['content-type'] ?? '', headers['content-transfer-encoding'] ?? '', body.join('\r\n\r\n').trim())]
  const of = (type: string) => parts.find(part => part.type.startsWith(type))?.body.replaceAll('\r\n', '\n') ?? ''
  return { headers, text: of('text/plain'), html: of('text/html'), types: parts.map(({ type }) => type.replace(/;.*/s, '')) }
}

/** The parts of a mail, decoded (RFC 2046 §5.1). */
function* leaves(type: string, coding: string, body: string): Generator<{ type: string; body: string }> {
  const [, boundary] = /boundary="?([^";\s]+)/.exec(type) ?? []
  if (boundary === undefined) return yield { type: type || 'text/plain', body: decoded(coding, body) }
  for (const part of body.split(`--${boundary}`).slice(1, -1)) {
    const [head = '', ...rest] = part.replace(/^\r?\n/, '').split(/\r?\n\r?\n/)
    const named = (name: string) => new RegExp(`^${name}: (.+(?:\\r?\\n[ \\t].+)*)`, 'im').exec(head)?.[1] ?? ''
    yield* leaves(named('content-type'), named('content-transfer-encoding'), rest.join('\n\n').trim())
  }
}

const decoded = (coding: string, body: string): string =>
  /base64/i.test(coding) ? Buffer.from(body, 'base64').toString('utf8') : /quoted-printable/i.test(coding) ? unquoted(body) : body

/** RFC 2047. */
const decodedWords = (value: string): string =>
  value.replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=\s*/gi, (_, coding: string, text: string) =>
    coding.toLowerCase() === 'b' ? Buffer.from(text, 'base64').toString('utf8') : unquoted(text.replaceAll('_', ' ')),
  )
const unquoted = (text: string): string =>
  Buffer.from(
    text.replaceAll(/=\r?\n/g, '').replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

export interface Posted {
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: any // any, so that tests can read any field
}

export interface WebServer {
  readonly url: string
  readonly posts: Posted[]
  /** The answer of a path, if not 200; it comes when `once` has resolved, and after `delay` ms. */
  answers: Record<string, { status: number; body?: string; once?: Promise<unknown>; delay?: number; headers?: Record<string, string> }>
  /** Requests of a path that were under way at once, at most. */
  max(path: string): number
  close(): Promise<void>
}

export async function startWebServer(): Promise<WebServer> {
  const posts: Posted[] = []
  const answers: WebServer['answers'] = {}
  const [underWay, max] = [new Map<string, number>(), new Map<string, number>()]
  const moved = (path: string, by: number) => {
    const now = (underWay.get(path) ?? 0) + by
    underWay.set(path, now)
    max.set(path, Math.max(now, max.get(path) ?? 0))
  }
  const server = http.createServer(
    withBody(async (request, response, received) => {
      const path = request.url ?? ''
      moved(path, 1)
      posts.push({ path, headers: request.headers, body: JSON.parse(received.toString('utf8')) })
      const { status = 200, body = 'ok', once, delay = 0, headers = {} } = answers[path] ?? {}
      await once
      setTimeout(() => {
        moved(path, -1)
        response.writeHead(status, headers).end(body)
      }, delay)
    }),
  )
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    posts,
    answers,
    max: path => max.get(path) ?? 0,
    close: () =>
      new Promise(closed => {
        server.closeAllConnections()
        server.close(() => closed())
      }),
  }
}
