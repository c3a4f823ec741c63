/** The service behind a socket, for third-party clients. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import type { TestService } from '../../support/world.ts'

export async function listen({ web }: TestService): Promise<{ url: URL; close(): Promise<void> }> {
  const server = serve({ fetch: web.fetch, port: 0, hostname: '127.0.0.1' })
  // The client compiles every schema in this process, during which an idle connection would end unnoticed.
  ;(server as Server).keepAliveTimeout = 120_000
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    close: () => new Promise<void>((resolve, reject) => server.close(error => (error ? reject(error) : resolve()))),
  }
}

/** The `_meta` of a request from 2026-07-28 on, and the headers that repeat it. */
export const envelope = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} }
export function mirrored(method: string, name?: string, version = '2026-07-28'): Record<string, string> {
  return { 'Mcp-Protocol-Version': version, 'Mcp-Method': method, ...(name === undefined ? {} : { 'Mcp-Name': name }) }
}

/** Sends any body with POST. */
export async function post(
  { web }: TestService,
  body: unknown,
  { token, headers = {}, query = '' }: { token?: string | undefined; headers?: Record<string, string>; query?: string } = {},
) {
  const response = await web.request(`/mcp${query}`, {
    method: 'POST',
    headers: { ...(token ? { Authorization: `Bearer ${token}` } : {}), 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: text === '' ? undefined : JSON.parse(text) } // any, so that tests can read any field
}

export function message(method: string, params?: unknown, id: unknown = 1) {
  return { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }
}
