/** SQLite: another process takes the write lock for seconds under load. The service keeps answering. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { setUp } from '../../operations/service/setup/set-up.ts'
import { engines } from '../support/engines.ts'
import { lockElsewhere } from '../support/lock.ts'
import { startProcess } from '../support/process.ts'
import { making } from '../../scripts/machine.ts'

const lockMs = 3_000
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'

for (const engine of engines.filter(({ name }) => name === 'sqlite')) {
  test(`a lock of ${lockMs} ms holds up writes and nothing else`, { timeout: 60_000 }, async t => {
    const { store, url, drop } = await engine.create()
    t.after(drop)
    const { site_id, token } = await setUp(
      store,
      { email: 'a@example.com', workspace: 'A', site: 'lock.example.com', timezone: 'UTC' },
      await making(),
    )
    const service = await startProcess(url)
    t.after(() => service.end('SIGKILL'))
    let isLocked = false
    let isOver = false
    const repeat = async (call: (i: number) => Promise<void>) => {
      for (let i = 0; !isOver; i++) await call(i)
    }
    const acknowledged: string[] = []
    const waited = { hits: 0, notes: 0 }
    const looksTook: number[] = []

    const hits = Array.from({ length: 16 }, (_, sender) =>
      repeat(async i => {
        const page = `/p/${sender}-${i}`
        const began = performance.now()
        const answer = await fetch(`${service.address}/api/event`, {
          method: 'POST',
          headers: { 'Content-Type': 'text/plain', 'User-Agent': agent, 'X-Forwarded-For': `81.2.69.${sender}` },
          body: JSON.stringify({ n: 'pageview', u: `https://lock.example.com${page}`, d: 'lock.example.com' }),
        })
        assert.equal(answer.status, 202, await answer.text())
        acknowledged.push(page)
        if (performance.now() - began > lockMs / 2) waited.hits++
      }),
    )
    const authorization = { Authorization: `Bearer ${token}` }
    const noted: string[] = []
    const notes = Array.from({ length: 4 }, (_, writer) =>
      repeat(async i => {
        const began = performance.now()
        const text = `Note ${writer}-${i}`
        const answer = await fetch(`${service.address}/sites/${site_id}/notes.json`, {
          method: 'POST',
          headers: { ...authorization, 'Content-Type': 'application/json' },
          body: JSON.stringify({ text }),
        })
        assert.equal(answer.status, 201, await answer.text())
        noted.push(text)
        if (performance.now() - began > lockMs / 2) waited.notes++
        await sleep(20)
      }),
    )
    const looks = ['/healthz', '/readyz', `/sites/${site_id}.json`].map(path =>
      repeat(async () => {
        const began = performance.now()
        const answer = await fetch(service.address + path, { headers: authorization })
        assert.equal(answer.status, 200, await answer.text())
        if (isLocked) looksTook.push(performance.now() - began)
        await sleep(20)
      }),
    )

    await sleep(500)
    const lock = await lockElsewhere(url)
    isLocked = true
    await sleep(lockMs)
    isLocked = false
    await lock.release()
    await sleep(500)
    isOver = true
    await Promise.all([...hits, ...notes, ...looks])
    const sorted = looksTook.sort((a, b) => a - b)
    const [most, longest] = [sorted[Math.floor(sorted.length * 0.95)] ?? Infinity, sorted.at(-1) ?? Infinity]
    t.diagnostic(
      `looks: p95 ${Math.round(most)} ms, longest ${Math.round(longest)} ms · ${acknowledged.length} hits, ${noted.length} notes · waited ${waited.hits}, ${waited.notes}`,
    )

    assert.ok(most < 250, `looks took ${Math.round(most)} ms`)
    assert.ok(longest < lockMs / 3, `a look took ${Math.round(longest)} ms`) // a busy machine may delay one
    assert.ok(waited.hits >= hits.length && waited.notes >= notes.length, `each sender waited: ${JSON.stringify(waited)}`)
    const pages = await store.read
      .selectFrom('hits as h')
      .innerJoin('dict as d', join => join.onRef('d.site_id', '=', 'h.site_id').onRef('d.id', '=', 'h.page'))
      .select('d.value as page')
      .where('d.value', 'like', '/p/%')
      .execute()
    assert.deepEqual(pages.map(({ page }) => page).sort(), acknowledged.sort(), 'each hit once')
    const texts = await store.read.selectFrom('notes').select('text').execute()
    assert.deepEqual(texts.map(({ text }) => text).sort(), noted.sort(), 'each note once')
  })
}
