/** SQLite: another process takes the write lock under load. The service keeps answering. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { setUp } from '../../operations/service/setup/set-up.ts'
import { engines } from '../support/engines.ts'
import { lockElsewhere } from '../support/lock.ts'
import { startProcess } from '../support/process.ts'
import { creationServices } from '../../scripts/machine.ts'

/** Answers to each kind of look while the database is locked. */
const looksEach = 3
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'

for (const engine of engines.filter(({ name }) => name === 'sqlite')) {
  test('a lock holds up writes and nothing else', async t => {
    const { store, url, drop } = await engine.create()
    t.after(drop)
    const { site_id, token } = await setUp(
      store,
      { email: 'a@example.com', workspace: 'A', site: 'lock.example.com', timezone: 'UTC' },
      await creationServices(),
    )
    const service = await startProcess(url)
    t.after(() => service.end('SIGKILL'))
    let isLocked = false
    let isOver = false
    const repeat = async (call: (i: number) => Promise<void>) => {
      for (let i = 0; !isOver; i++) await call(i)
    }
    const acknowledged: string[] = []
    /** Writes that wait for their answer. */
    const pending = { hits: 0, notes: 0 }
    const looked = new Map<string, number>()
    const write = async (kind: 'hits' | 'notes', ask: () => Promise<Response>) => {
      pending[kind]++
      const answer = await ask()
      pending[kind]--
      return answer
    }

    const hits = Array.from({ length: 16 }, (_, sender) =>
      repeat(async i => {
        const page = `/p/${sender}-${i}`
        const answer = await write('hits', () =>
          fetch(`${service.address}/api/event`, {
            method: 'POST',
            headers: { 'Content-Type': 'text/plain', 'User-Agent': agent, 'X-Forwarded-For': `81.2.69.${sender}` },
            body: JSON.stringify({ n: 'pageview', u: `https://lock.example.com${page}`, d: 'lock.example.com' }),
          }),
        )
        assert.equal(answer.status, 202, await answer.text())
        acknowledged.push(page)
      }),
    )
    const authorization = { Authorization: `Bearer ${token}` }
    const noted: string[] = []
    const notes = Array.from({ length: 4 }, (_, writer) =>
      repeat(async i => {
        const text = `Note ${writer}-${i}`
        const answer = await write('notes', () =>
          fetch(`${service.address}/sites/${site_id}/notes.json`, {
            method: 'POST',
            headers: { ...authorization, 'Content-Type': 'application/json' },
            body: JSON.stringify({ text }),
          }),
        )
        assert.equal(answer.status, 201, await answer.text())
        noted.push(text)
        await sleep(20)
      }),
    )
    const looks = ['/healthz', '/readyz', `/sites/${site_id}.json`].map(path =>
      repeat(async () => {
        const answer = await fetch(service.address + path, { headers: authorization })
        assert.equal(answer.status, 200, await answer.text())
        if (isLocked) looked.set(path, (looked.get(path) ?? 0) + 1)
        await sleep(20)
      }),
    )

    const all = Promise.all([...hits, ...notes, ...looks])
    t.after(() => {
      isOver = true
    })
    /** Fails with the first answer that is wrong. */
    const until = async (isSo: () => boolean) => {
      while (!isSo()) await Promise.race([sleep(5), all])
    }
    await until(() => acknowledged.length >= hits.length && noted.length >= notes.length)
    const lock = await lockElsewhere(url)
    isLocked = true
    // It stays locked until every write waits for it and every look was answered several times.
    await until(() => pending.hits === hits.length && pending.notes === notes.length)
    await until(() => looks.length === [...looked.values()].filter(count => count >= looksEach).length)
    assert.deepEqual(pending, { hits: hits.length, notes: notes.length }, 'no write is acknowledged while another process has the lock')
    isLocked = false
    await lock.release()
    const [hitsBefore, notesBefore] = [acknowledged.length, noted.length]
    await until(() => acknowledged.length >= hitsBefore + hits.length && noted.length >= notesBefore + notes.length)
    isOver = true
    await all
    t.diagnostic(`${acknowledged.length} hits, ${noted.length} notes`)
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
