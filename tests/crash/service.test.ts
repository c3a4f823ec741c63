/** kill -9 in the middle of a load of hits, again and again: what was acknowledged is there, once, in whole visits. */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { setUp } from '../../operations/service/setup/set-up.ts'
import type { Store } from '../../storage/store.ts'
import { onEachEngine } from '../support/engines.ts'
import { startProcess } from '../support/process.ts'
import { making } from '../../scripts/machine.ts'

const kills = 20
const senders = 16
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'

onEachEngine('a load of hits', engine => {
  test(`survives ${kills} kills`, { timeout: 240_000 }, async () => {
    const { store, url, drop } = await engine.create()
    await setUp(store, { email: 'a@example.com', workspace: 'A', site: 'crash.example.com', timezone: 'UTC' }, await making())
    const sent = new Set<string>()
    const acknowledged = new Set<string>()

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
          if ((await answer.text().catch(() => undefined)) !== undefined) acknowledged.add(page)
        }
      }
      const load = Array.from({ length: senders }, (_, sender) => send(sender))
      // Only a kill in the middle of the load counts.
      while (acknowledged.size < before + senders) await new Promise(resolve => setTimeout(resolve, 5))
      await new Promise(resolve => setTimeout(resolve, randomInt(10, 150)))
      await service.end('SIGKILL')
      alive = false
      await Promise.all(load)
    }
    await kept(store, sent, acknowledged)
    await drop()
  })
})

async function kept(store: Store, sent: ReadonlySet<string>, acknowledged: ReadonlySet<string>): Promise<void> {
  const rows = await store.read.selectFrom('hits as h').innerJoin('dict as d', join => join.onRef('d.site_id', '=', 'h.site_id').onRef('d.id', '=', 'h.page'))
    .select('d.value as page').where('d.value', 'like', '/p/%').execute()
  const stored = rows.map(row => row.page)
  assert.ok(acknowledged.size > kills * senders, `${acknowledged.size} acknowledged`)
  assert.equal(new Set(stored).size, stored.length, 'none twice')
  assert.deepEqual([...acknowledged].filter(page => !stored.includes(page)), [], 'none lost')
  assert.deepEqual(stored.filter(page => !sent.has(page)), [], 'none made up')

  const { rows: wrong } = await sql`
    select v.visit_id from visits v join (
      select site_id, day, visit_id, min(at) as first_at, max(at) as last_at,
        sum(case when event = 0 then 1 else 0 end) as pageviews, sum(case when event = 0 then 0 else 1 end) as events
      from hits group by site_id, day, visit_id
    ) h on h.site_id = v.site_id and h.day = v.day and h.visit_id = v.visit_id
    where v.started_at <> h.first_at or v.duration <> h.last_at - h.first_at or v.pageviews <> h.pageviews or v.events <> h.events`.execute(store.read)
  assert.deepEqual(wrong, [], 'visits add up to their hits')
  const { rows: [counts] } = await sql<{ visits: number; with_hits: number }>`
    select (select count(*) from visits) as visits, (select count(*) from (select distinct site_id, day, visit_id from hits) x) as with_hits`.execute(store.read)
  assert.equal(counts?.visits, counts?.with_hits, 'no visit without hits, no hit without visit')
}
