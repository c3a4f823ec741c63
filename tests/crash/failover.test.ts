/**
 * Two processes of the service lose what their database had committed last: the primary dies and a standby that lags is
 * promoted, or a backup is restored beneath them. Then nothing comes from memory that the database never had, and nothing
 * is lost that it has.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as later } from 'node:timers/promises'
import { setUp } from '../../operations/service/setup/set-up.ts'
import { creationServices } from '../../scripts/machine.ts'
import { openStore } from '../../storage/store.ts'
import { noonZone } from '../support/noon-zone.ts'
import { engines } from '../support/engines.ts'
import { someOf } from '../support/full.ts'
import { losses } from '../support/losses.ts'
import { type ServiceProcess, startProcess } from '../support/process.ts'
import { sendHits } from './hits.ts'
import { kept } from './kept.ts'

const domain = 'failover.example.com'
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'
const skip = !engines.some(({ name }) => name === 'postgres')

for (const [name, start] of someOf(Object.entries(losses), 1)) {
  test(`after ${name}, processes serve what the database has, and nothing else`, { skip }, async t => {
    const losing = await start(t)
    const before = openStore(losing.direct, { connections: 1 })
    const made = await setUp(
      before,
      { email: 'a@example.com', workspace: 'A', site: domain, timezone: noonZone() },
      await creationServices(),
    )
    await before.close()
    const { site_id, token, workspace_id } = made
    const processes = [await startProcess(losing.url), await startProcess(losing.url)] as const
    t.after(() => Promise.all(processes.map(each => each.end('SIGKILL'))))

    const call = async ({ address }: ServiceProcess, method: string, path: string, body?: object, by = token) => {
      const answer = await fetch(`${address}${path}`, {
        method,
        headers: { Authorization: `Bearer ${by}`, ...(body && { 'Content-Type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: answer.status, body: await answer.json() }
    }
    /** Again while the database is away. */
    const settled = async (...given: Parameters<typeof call>) => {
      for (;;) {
        const answer = await call(...given)
        if (answer.status !== 503) return answer
        await later(50)
      }
    }
    const visit = async ({ address }: ServiceProcess, person: number) => {
      const body = JSON.stringify({ n: 'pageview', u: `https://${domain}/own?utm_source=acme`, d: domain })
      const headers = { 'Content-Type': 'text/plain', 'User-Agent': agent, 'X-Forwarded-For': `198.51.100.${person}` }
      assert.equal((await fetch(`${address}/api/event`, { method: 'POST', headers, body })).status, 202)
    }
    const rows = async (process: ServiceProcess, dimension: string) => {
      const path = `/sites/${site_id}/breakdown/${dimension}.json?period=today&limit=1000`
      const { status, body } = await settled(process, 'GET', path)
      assert.equal(status, 200, JSON.stringify(body))
      return body.data.rows as { value: string; visits: number; pageviews: number }[]
    }
    const rules = `/sites/${site_id}/channel_rules`
    const rule = await call(processes[0], 'POST', rules, {
      channel: 'First',
      conditions: [{ field: 'utm_source', operator: 'is', value: 'acme' }],
    })
    assert.equal(rule.status, 201)
    const named = (channel: string) => settled(processes[0], 'PATCH', `${rules}/${rule.body.data.id}`, { channel })
    const inForce = () => later(1_200)

    const loads = processes.map(({ address }, i) => sendHits(address, { domain, senders: 2, first: 1 + i * 2 }))
    const acknowledged = () => new Set(loads.flatMap(load => [...load.acknowledged]))
    for (const process of processes) await rows(process, 'page')
    await later(1_000)
    const survived = acknowledged()
    await losing.keep()

    // The last second of the old database, of which each process remembers as much as it can.
    const lost = await settled(processes[1], 'POST', `/workspaces/${workspace_id}/api_tokens`, {
      name: 'Lost',
      permissions: ['analytics.read'],
    })
    assert.equal(lost.status, 201, JSON.stringify(lost.body))
    await named('Lost')
    await inForce()
    for (const [i, process] of processes.entries()) {
      assert.equal(
        (await call(process, 'GET', `/sites/${site_id}.json`, undefined, lost.body.data.secret ?? lost.body.data.token)).status,
        200,
      )
      await visit(process, 1 + i)
      await rows(process, 'page')
    }
    assert.ok((await rows(processes[0], 'custom_channel')).some(({ value }) => value === 'Lost'))

    const direct = await losing.lose()
    await Promise.all(loads.map(load => load.flows()))
    const since = acknowledged()
    for (const process of processes) {
      const refused = await settled(process, 'GET', `/sites/${site_id}.json`, undefined, lost.body.data.secret ?? lost.body.data.token)
      assert.equal(refused.status, 401, 'a token that the database never had')
    }
    assert.equal((await named('Kept')).status, 200)
    await inForce()
    for (const [i, process] of processes.entries()) await visit(process, 11 + i)
    await later(1_000)
    await Promise.all(loads.map(load => load.end()))

    const after = openStore(direct, { connections: 2 })
    t.after(() => after.close())
    const sent = new Set(loads.flatMap(load => [...load.sent]))
    const must = new Set([...acknowledged()].filter(page => survived.has(page) || !since.has(page)))
    await kept(after, sent, must)
    const gone = [...acknowledged()].filter(page => !must.has(page)).length
    const stored = await after.read
      .selectFrom('hits as h')
      .innerJoin('dict as d', join => join.onRef('d.site_id', '=', 'h.site_id').onRef('d.id', '=', 'h.page'))
      .select(['d.value', ({ fn }) => fn.countAll<number>().as('hits')])
      .where('h.event', '=', 0)
      .where('d.dim', '=', 1)
      .groupBy('d.value')
      .execute()
    const counted = new Map(stored.map(({ value, hits }) => [value, hits]))
    for (const process of processes) {
      const pages = await rows(process, 'page')
      assert.equal(pages.length, Math.min(1_000, counted.size))
      assert.deepEqual(
        pages.filter(({ value, pageviews }) => counted.get(value) !== pageviews),
        [],
        'reports are those of the rows',
      )
      const channels = (await rows(process, 'custom_channel')).map(({ value }) => value)
      assert.ok(channels.includes('Kept') && !channels.includes('Lost'), channels.join())
    }
    t.diagnostic(`${survived.size} hits before, ${gone} in the time that was lost, ${must.size - survived.size} after`)
  })
}
