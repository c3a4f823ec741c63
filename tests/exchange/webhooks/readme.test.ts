/** The receiver of docs/webhooks.md accepts genuine deliveries and refuses others. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { setTimeout as later } from 'node:timers/promises'
import { test } from 'node:test'
import { attempt } from '../../../operations/exchange/webhooks/attempt.ts'
import { makeSecret } from '../../../operations/exchange/webhooks/secret.ts'
import { fileOf } from '../../../tools/paths.mjs'
import { exampleOf } from '../../support/example.ts'
import { freePort } from '../../support/ports.ts'
import { unhurried } from './receiver.ts'

const body = '{"id":"evt_1","type":"export.ready","data":{"export_id":"exp_1"}}'
const config = { OUTBOUND_ALLOW_CIDRS: ['127.0.0.1'] }

test('the receiver of the manual takes what is signed with its secret, and nothing else', async () => {
  // Next to the package that it imports, which the project itself does not have.
  const file = fileOf('standardwebhooks', `../receiver-${process.pid}.mjs`)
  fs.writeFileSync(file, exampleOf('docs/webhooks.md', 'receiver.mjs'))
  const [secret, other] = [1, 2].map(byte => makeSecret(size => Buffer.alloc(size, byte)))
  assert.ok(secret !== undefined && other !== undefined)
  const port = await freePort()
  const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) }
  const receiver = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => receiver.kill('SIGKILL'))
  try {
    const send = (by: string) =>
      attempt({ url: `http://127.0.0.1:${port}/`, secrets: [by], signed: { id: 'evt_1', at: Date.now(), body }, config, more: unhurried })
    const printed = once(receiver.stdout, 'data')
    let first = await send(secret)
    while (first.statusCode === null && receiver.exitCode === null) first = await later(50).then(() => send(secret))
    assert.deepEqual([first.outcome, first.statusCode], ['succeeded', 204], String(first.error ?? ''))
    assert.match(String((await printed)[0]), /^evt_1 export\.ready /)
    assert.equal((await send(other)).statusCode, 400)
  } finally {
    receiver.kill('SIGKILL')
    fs.rmSync(file)
  }
})
