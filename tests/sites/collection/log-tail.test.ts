/** Following a log: its lines count like hits of a script, each once, across rotations, restarts and lost answers. */
import assert from 'node:assert/strict'
import { appendFile, mkdtemp, readFile, rename, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { tail } from '../../../operations/sites/collection/log-tail.ts'
import { onEachEngine } from '../../support/engines.ts'
import { makeWorld, request, startService, type TestService, type World } from '../../support/world.ts'

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

test('a log is followed across rotation and truncation, and a restart goes on where it stopped', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tail-'))
  const [log, state] = [path.join(folder, 'access.log'), path.join(folder, 'position.json')]
  const seen: string[] = []
  const readOn = (fromStart = false) =>
    tail({ log, state, fromStart, once: true, signal: new AbortController().signal, send: async lines => void seen.push(...lines) })
  await writeFile(log, 'before\n')
  await readOn()
  await appendFile(log, 'one\ntw')
  await readOn()
  await readOn()
  assert.deepEqual(seen.splice(0), ['one'], 'from the end on, and only whole lines')
  await appendFile(log, 'o ✓\n')
  await rename(log, `${log}.1`)
  await writeFile(log, 'three\n')
  await readOn()
  assert.deepEqual(seen.splice(0), ['two ✓', 'three'], 'the rest of the old log first')
  await truncate(log, 0)
  await appendFile(log, 'four\n')
  await readOn()
  assert.deepEqual(seen.splice(0), ['four'])
  await writeFile(log, 'another log, longer than before\n')
  await readOn()
  assert.deepEqual(seen.splice(0), ['another log, longer than before'], 'another log in the same file')
  await appendFile(log, `${'x'.repeat(600_000)}\n${Array.from({ length: 450 }, (_, i) => `${i}\n`).join('')}`)
  await readOn()
  assert.ok(seen.every(line => line.length <= 16_000))
  assert.deepEqual(
    seen.splice(-450),
    Array.from({ length: 450 }, (_, i) => String(i)),
  )
  await writeFile(state, '[]')
  await assert.rejects(readOn(), /not a position in a log/)
})

test('a log without a position is followed as it grows, also after a rotation, or read whole with its last line', async () => {
  const log = path.join(await mkdtemp(path.join(tmpdir(), 'tail-')), 'access.log')
  await writeFile(log, 'one\r\ntw')
  const stop = new AbortController()
  const seen: string[] = []
  const steps: Record<number, () => Promise<void>> = {
    1: () => appendFile(log, 'o ✓\n'),
    2: async () => {
      await appendFile(log, 'late\n')
      await rename(log, `${log}.1`)
      await writeFile(log, 'three\n')
    },
    4: async () => stop.abort(),
  }
  const reading = tail({
    log,
    fromStart: true,
    signal: stop.signal,
    lookMs: 1,
    async send(lines) {
      for (const line of lines) {
        seen.push(line)
        await steps[seen.length]?.()
      }
    },
  })
  await reading
  assert.deepEqual(seen, ['one', 'two ✓', 'late', 'three'])

  await writeFile(log, 'a\n\nb\nc')
  const batches: (readonly string[])[] = []
  const signal = new AbortController().signal
  await tail({ log, fromStart: true, once: true, maxLines: 2, signal, send: async lines => void batches.push(lines) })
  assert.deepEqual(batches, [['a'], ['b'], ['c']])
})

onEachEngine('lines of a log', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())
  beforeEach(async () => {
    world = await makeWorld(service)
  })

  const clock = () => {
    const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) (\S+)/.exec(new Date(service.clock.now).toUTCString()) ?? []
    return `${day}/${month}/${year}:${time} +0000`
  }
  const line = (url: string, { ip = '81.2.69.160', agent = chrome, status = 200, referrer = '-' } = {}) =>
    `${ip} - - [${clock()}] "GET ${url} HTTP/1.1" ${status} 10 "${referrer}" "${agent}"`
  const post = (lines: readonly string[], headers = {}) =>
    request(service, 'POST', `/sites/${world.ids.site}/log/lines`, { token: world.token, body: { lines }, headers })
  const figures = async () => {
    const { data } = (await request(service, 'GET', `/sites/${world.ids.site}/stats/aggregate?period=today`, { token: world.token })).body
    return [data.metrics.visitors, data.metrics.visits, data.metrics.pageviews]
  }

  test('count as pages of visitors; the answer says what became of the others', async () => {
    const gpt = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)'
    const { body, status } = await post([
      line('/', { referrer: 'https://www.google.com/' }),
      line('/pricing'),
      line('/pricing', { ip: '2.125.160.216' }),
      line('/a.css'),
      line('/none', { status: 404 }),
      line('/', { agent: gpt }),
      line('/', { ip: 'unknown' }),
      'broken',
      '',
      '#Version: 1.0',
    ])
    assert.equal(status, 200)
    const left = [
      ['bot', 1],
      ['file', 1],
      ['status', 1],
      ['unreadable', 2],
    ].map(([reason, lines]) => ({ reason, lines }))
    assert.deepEqual(body.data, { pages: 3, left_out: left })
    assert.deepEqual(await figures(), [2, 2, 3])
  })

  test('count like the same visit sent by a script: one visitor, one visit', async () => {
    const { data } = (await request(service, 'GET', `/sites/${world.ids.site}`, { token: world.token })).body
    const sent = await request(service, 'POST', '/api/event', {
      body: { n: 'pageview', u: `https://${data.domain}/`, d: data.domain, ip: '81.2.69.160', user_agent: chrome },
      token: world.token,
    })
    assert.equal(sent.status, 202)
    await post([line('/pricing')])
    assert.deepEqual(await figures(), [1, 1, 2])
  })

  test('are sent again under their key if the answer was lost, and count once', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'tail-'))
    const [log, state] = [path.join(folder, 'access.log'), path.join(folder, 'position.json')]
    await writeFile(log, `${[line('/a'), line('/b')].join('\n')}\n`)
    let isLost = true
    const readOn = () =>
      tail({
        log,
        state,
        fromStart: true,
        once: true,
        signal: new AbortController().signal,
        async send(lines, key) {
          assert.equal((await post(lines, { 'Idempotency-Key': key })).status, 200)
          if (isLost) throw new Error('killed')
        },
      })
    await assert.rejects(readOn(), /killed/)
    assert.match(await readFile(state, 'utf8'), /pending/)
    await appendFile(log, `${line('/c')}\n`)
    isLost = false
    await readOn()
    await readOn()
    assert.equal((await figures())[2], 3)
  })

  test('lines of another site, too many lines and too long lines are refused', async () => {
    const other = await makeWorld(service)
    const stranger = await request(service, 'POST', `/sites/${other.ids.site}/log/lines`, {
      token: world.token,
      body: { lines: [line('/')] },
    })
    assert.equal(stranger.status, 404)
    assert.equal((await post(Array.from({ length: 201 }, () => ''))).status, 422)
    assert.equal((await post(['x'.repeat(16_001)])).status, 422)
  })
})
