/** The client's address behind proxies, in the formats that real proxies write. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { clientIp } from '../../adapters/http/client-ip.ts'
import { createWeb } from '../../adapters/http/http.ts'
import { mounts } from '../../adapters/index.ts'
import { createApp } from '../../runtime/create-app.ts'
import { randomBytes } from '../support/chance.ts'
import { engines } from '../support/engines.ts'
import { makeWorld, request, startService } from '../support/world.ts'

const trusted = ['127.0.0.1', '10.0.0.0/8', 'fd00::/8']
const from = (forwarded: string) => clientIp('127.0.0.1', forwarded, trusted)

test('ports and brackets are no part of an address', () => {
  const written: Readonly<Record<string, string>> = {
    '81.2.69.1': '81.2.69.1',
    '81.2.69.1:5555': '81.2.69.1',
    '[2001:db8::1]:443': '2001:db8::1',
    '[2001:db8::1]': '2001:db8::1',
    '2001:db8::1': '2001:db8::1',
    '[::ffff:81.2.69.1]:80': '81.2.69.1',
    '6.6.6.6, 81.2.69.1:5555, 10.1.2.3:80': '81.2.69.1',
    '81.2.69.1:5555,[fd00::7]:8080': '81.2.69.1',
    ' 81.2.69.1:1 ': '81.2.69.1',
  }
  for (const [forwarded, ip] of Object.entries(written)) assert.equal(from(forwarded), ip, forwarded)
})

test('behind a hop that is not an address, the last hop with an address is the client', () => {
  for (const none of [
    'unknown',
    '',
    '81.2.69.1:',
    '81.2.69.1:port',
    '81.2.69:80',
    '[81.2.69.1]:80',
    '[2001:db8::1',
    '2001:db8::1]',
    '[]:80',
    '1.2.3.4:5:6',
  ]) {
    assert.equal(from(none), '127.0.0.1', none)
    assert.equal(from(`${none}, 10.1.2.3`), '10.1.2.3', none)
  }
})

test('a header from a private peer that no setting names is logged once, with the name of the setting', async () => {
  const service = await startService(engines[0]!)
  const world = await makeWorld(service)
  const lines: string[] = []
  const log = pino(
    { level: 'warn' },
    {
      write: line => {
        lines.push(line)
      },
    },
  )
  const app = createApp({ ...service.app, config: { ...service.app.config }, log, random: randomBytes })
  const behind = { ...service, app, web: createWeb(app, mounts) }
  const headers = { 'X-Forwarded-For': '81.2.69.1' }
  await request(behind, 'GET', '/healthz')
  await request(behind, 'GET', `/badge/${world.ids.site}`)
  await request(behind, 'GET', '/account', { token: world.token, headers })
  assert.deepEqual(lines, [], 'neither without the header nor from who has a token')
  for (let i = 0; i < 3; i++) await request(behind, 'GET', `/badge/${world.ids.site}`, { headers })
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /TRUSTED_PROXIES/)
  await app.close()
  await service.close()
})

test('a named proxy is trusted, and nothing is logged', async () => {
  const service = await startService(engines[0]!, { TRUSTED_PROXIES: ['127.0.0.1'] })
  const world = await makeWorld(service)
  const lines: string[] = []
  const log = pino(
    { level: 'warn' },
    {
      write: line => {
        lines.push(line)
      },
    },
  )
  const app = createApp({ ...service.app, config: { ...service.app.config }, log, random: randomBytes })
  await request({ ...service, app, web: createWeb(app, mounts) }, 'GET', `/badge/${world.ids.site}`, {
    headers: { 'X-Forwarded-For': '81.2.69.1:99' },
  })
  assert.deepEqual(lines, [])
  await app.close()
  await service.close()
})
