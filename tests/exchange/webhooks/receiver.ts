/** An endpoint for webhooks that records requests and answers as configured. */
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Signed } from '../../runtime/outbound/certificates.ts'
import { withBody } from '../../support/with-body.ts'

export interface Received {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
export type Answering = (response: http.ServerResponse, received: Received) => void

export interface Receiver {
  readonly url: string
  readonly port: number
  readonly received: Received[]
  /** The answer from now on; at first 200. */
  answer: Answering
  close(): Promise<void>
}

/** @param signed certificate; without one it speaks plain HTTP @param listen port; 0: a free one */
export async function startReceiver(signed?: Signed, listen = 0): Promise<Receiver> {
  const receiver = {
    received: [] as Received[],
    answer: ((response: http.ServerResponse) => {
      response.end('ok')
    }) as Answering,
  }
  const handle = withBody((request, response, body) => {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const received = { path: request.url ?? '', headers, body: body.toString('utf8') }
    receiver.received.push(received)
    receiver.answer(response, received)
  })
  const server = signed ? https.createServer({ ...signed }, handle) : http.createServer(handle)
  server.on('tlsClientError', () => {})
  await new Promise<void>(resolve => server.listen(listen, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a listening TCP server has an AddressInfo
  return Object.assign(receiver, {
    port,
    url: `${signed ? 'https' : 'http'}://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}

/** No limit: whether an answer counts does not depend on how busy the machine is. */
export const unhurried = { timeoutMs: 2 ** 31 - 1, connectMs: 2 ** 31 - 1 } as const

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}, body = ''): Answering =>
  response => {
    response.writeHead(code, headers).end(body)
  }
