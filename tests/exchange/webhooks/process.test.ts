/** The real setup: `npm start`, a webhook created over HTTP, and a TLS endpoint whose CA the machine trusts. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import { test } from 'node:test'
import { Stripe } from 'stripe'
import { setUp } from '../../../operations/service/setup/set-up.ts'
import { makeAuthority } from '../../runtime/outbound/certificates.ts'
import { engines } from '../../support/engines.ts'
import { startProcess } from '../../support/process.ts'
import { startReceiver } from './receiver.ts'
import { creationServices } from '../../../scripts/machine.ts'

const [engine = assert.fail()] = engines

test('an event of the API arrives signed at a TLS endpoint; running attempts end at shutdown', async () => {
  const { store, url, drop } = await engine.create()
  const { workspace_id, token } = await setUp(
    store,
    { email: 'a@example.com', workspace: 'A', site: 'a.example.com', timezone: 'UTC' },
    await creationServices(),
  )
  const authority = await makeAuthority()
  const receiver = await startReceiver(await authority.sign(['127.0.0.1']))
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-ca-'))
  fs.writeFileSync(path.join(folder, 'ca.pem'), authority.ca)
  const service = await startProcess(url, { NODE_EXTRA_CA_CERTS: path.join(folder, 'ca.pem'), OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' })
  const post = async (where: string, body: object) => {
    const answer = await fetch(`${service.address}/workspaces/${workspace_id}${where}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await answer.json()) as { data: { id: string; secret: string } }
  }
  const { data: webhook } = await post('/webhooks', { url: `${receiver.url}/tls`, events: ['site.created'] })
  await later(1_500) // the service is idle: the next event must wake it
  await post('/sites', { domain: 'b.example.com' })
  while (receiver.received.length === 0) await later(5)
  const [{ headers, body } = assert.fail()] = receiver.received
  const event = new Stripe('sk_test_none').webhooks.constructEvent(body, headers['service-signature'] ?? '', webhook.secret)
  assert.equal(event.type as string, 'site.created')

  receiver.answer = response => {
    setTimeout(() => response.end(), 500)
  }
  await post(`/webhooks/${webhook.id}/test`, {})
  while (receiver.received.length === 1) await later(5)
  assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null })
  const rows = await store.read.selectFrom('webhook_deliveries').select('status').execute()
  assert.deepEqual(
    rows.map(row => row.status),
    ['succeeded', 'succeeded'],
    service.output(),
  )
  assert.doesNotMatch(service.output(), /whsec_|pat_/)
  fs.rmSync(folder, { recursive: true })
  await receiver.close()
  await drop()
})
