/** A site on this machine whose server passes its script and hits on to the service, as a proxy would. */
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeSite, request, type TestService, type World } from '../../support/world.ts'
import { withBody } from '../../support/with-body.ts'

export interface Shop {
  readonly world: World
  readonly site: string
  /** `127.0.0.1:40123` */
  readonly domain: string
  readonly path: string
  /** What it answers: HTML of every page, headers, status, and whether it says whose requests it passes on. */
  readonly page: { html: string; headers: Record<string, string>; status: number; forwarded: string | undefined }
  readonly call: (method: string, path: string, body?: object) => ReturnType<typeof request>
  close(): Promise<void>
}

export async function openShop(service: TestService): Promise<Shop> {
  const page: Shop['page'] = { html: '', headers: {}, status: 200, forwarded: '203.0.113.9' }
  const server = http
    .createServer(
      withBody(async (from, to, body) => {
        const { pathname } = new URL(from.url ?? '/', 'http://shop')
        if (!/^\/[a-z]\d[0-9a-z]{10}(\.js|\.gif)?$/.test(pathname)) {
          return to
            .writeHead(page.status, { 'Content-Type': 'text/html', ...page.headers })
            .end(`<!doctype html><title>Shop</title>${page.html}`)
        }
        const headers = new Headers({ 'User-Agent': from.headers['user-agent'] ?? '', 'Accept-Language': 'en' })
        if (page.forwarded) headers.set('X-Forwarded-For', page.forwarded)
        if (from.headers.referer) headers.set('Referer', from.headers.referer)
        const answer = await service.web.request(from.url ?? '/', {
          method: from.method ?? 'GET',
          headers,
          ...(from.method === 'POST' && { body }),
        })
        return to.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()))
      }),
    )
    .listen(0, '127.0.0.1')
  await once(server, 'listening')
  const domain = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const world = await makeSite(service)
  const call = (method: string, path: string, body?: object) => request(service, method, path, { token: world.token, body })
  const made = await call('POST', `/workspaces/${world.ids.workspace}/sites`, { domain })
  const site: string = made.body.data.id
  const { script_path: path } = (await call('GET', `/sites/${site}/tracking`)).body.data
  return {
    world,
    site,
    domain,
    path,
    page,
    call,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
