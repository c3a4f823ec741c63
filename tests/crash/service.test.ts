/** Repeated kill -9 under a load of hits: each acknowledged hit is stored once, in whole visits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { setUp } from '../../operations/service/setup/set-up.ts'
import { chanceOf } from '../support/chance.ts'
import { isFull } from '../support/full.ts'
import { onEachEngine, onSharedEngine } from '../support/engines.ts'
import { startProcess } from '../support/process.ts'
import { creationServices } from '../../scripts/machine.ts'
import { kept } from './kept.ts'

const kills = isFull ? 20 : 1
const senders = 16
const chance = chanceOf('service')
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'

onEachEngine('a load of hits', engine => {
  test(`survives ${kills} kills`, async () => {
    const { store, url, drop } = await engine.create()
    await setUp(store, { email: 'a@example.com', workspace: 'A', site: 'crash.example.com', timezone: 'UTC' }, await creationServices())
    const sent = new Set<string>()
    const acknowledged = new Set<string>()
    let target = 0
    let reached = () => {}

    for (let kill = 0; kill < kills; kill++) {
      const service = await startProcess(url)
      const before = acknowledged.size
      let alive = true
      const send = async (sender: number) => {
        for (let i = 0; alive; i++) {
          const page = `/p/${kill}-${sender}-${i}`
          sent.add(page)
          const answer = await fetch(`${service.address}/api/event`, {
            method: 'POST',
            headers: { 'Content-Type': 'text/plain', 'User-Agent': agent, 'X-Forwarded-For': `81.2.69.${sender}` },
            body: JSON.stringify({ n: i % 5 === 4 ? 'Signup' : 'pageview', u: `https://crash.example.com${page}`, d: 'crash.example.com' }),
          }).catch(() => undefined)
          if (answer === undefined) return
          assert.equal(answer.status, 202)
          if ((await answer.text().catch(() => undefined)) !== undefined) {
            acknowledged.add(page)
            if (acknowledged.size === target) reached()
          }
        }
      }
      const load = Array.from({ length: senders }, (_, sender) => send(sender))
      // Kill only under load, when the answer with this number arrives.
      target = before + senders + chance.int(0, isFull ? 300 : 100)
      await new Promise<void>(resolve => (reached = resolve))
      await service.end('SIGKILL')
      alive = false
      await Promise.all(load)
    }
    assert.ok(acknowledged.size > kills * senders, `${acknowledged.size} acknowledged`)
    await kept(store, sent, acknowledged)
    await drop()
  })
})

onSharedEngine('a call right after a start', engine => {
  test('wakes its task, which would not be due for minutes', async () => {
    const { store, url, drop } = await engine.create()
    const site = 'early.example.com'
    const setUpRequest = { email: 'a@example.com', workspace: 'A', site, timezone: 'UTC' }
    const { token, site_id } = await setUp(store, setUpRequest, await creationServices())
    const lastRun = async () => {
      const { last_ended_at } =
        (await store.read.selectFrom('tasks').select('last_ended_at').where('name', '=', 'visits_erasing').executeTakeFirst()) ?? {}
      return last_ended_at ?? 0
    }
    let service = await startProcess(url)
    while ((await lastRun()) === 0) await setTimeout(20)
    await service.end('SIGTERM')
    const before = await lastRun()

    service = await startProcess(url)
    const answer = await fetch(`${service.address}/sites/${site_id}/erasures`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ period: 'all', confirm: site }),
    })
    assert.ok(answer.ok, await answer.text())
    while ((await lastRun()) === before) await setTimeout(20)
    await service.end('SIGTERM')
    await drop()
  })
})
