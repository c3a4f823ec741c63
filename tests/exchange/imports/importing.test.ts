/** Importing files: each hit is stored once, in the right visits, whatever was stored before. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { openHitFile } from '../../../operations/exchange/imports/hit-file.ts'
import { importFile, type ImportOptions } from '../../../operations/exchange/imports/import-file.ts'
import { emitter } from '../../../runtime/events/emitter.ts'
import { defaultLimits } from '../../../storage/hits/cardinality.ts'
import { openHitStore } from '../../../storage/hits/hit-store.ts'
import { forgetVisitors } from '../../../storage/hits/retention.ts'
import type { Store } from '../../../storage/store.ts'
import { randomBytes } from '../../support/chance.ts'
import { onEachEngine } from '../../support/engines.ts'
import { DAY, hit, HOUR, MIDNIGHT, MINUTE } from '../../storage/new-hits.ts'
import { dictionary, storedVisits } from '../../storage/stored-hits.ts'
import { readConfig } from '../../../runtime/settings/config.ts'
import type { Emit, EventKind } from '../../../runtime/events/event.ts'

onEachEngine('a file of hits', engine => {
  let store: Store
  let drop: () => Promise<void>
  const folder = mkdtempSync(path.join(tmpdir(), 'footfall-import-'))
  let number = 0
  const now = MIDNIGHT + 12 * HOUR

  before(async () => {
    ;({ store, drop } = await engine.create())
  })
  after(async () => {
    await drop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Each test has a site of its own. */
  const behaviour = (name: string, run: () => Promise<void>) =>
    test(name, async () => {
      number++
      await run()
    })
  const load = async (content: string, options: Partial<ImportOptions> = {}, name = 'hits.ndjson') => {
    const file = path.join(folder, name)
    writeFileSync(file, content)
    return importFile(store, {
      site: {
        number,
        id: `pa_${number}`,
        workspace_id: 'ws_1',
        timezone: 'Europe/Berlin',
        currency: 'EUR',
        domain: 'example.com',
        pageParameters: [],
        ignoring: { hosts: new Set(), ignoresKnown: true },
      },
      file: await openHitFile(file, {}),
      map: {},
      overlap: 'refuse',
      zone: 'UTC',
      limits: defaultLimits,
      retentionDays: 0,
      geoDatabase: undefined,
      now: () => now,
      randomBytes,
      emitIn: emitter([], { config: readConfig({}), random: randomBytes }),
      onProgress() {},
      onUnread() {},
      signal: new AbortController().signal,
      ...options,
    })
  }
  const lines = (...records: object[]) => records.map(record => `${JSON.stringify(record)}\n`).join('')
  const seen = (at: number, fields: object = {}) => ({ url: '/', visitor: 'anna', timestamp: new Date(at).toISOString(), ...fields })
  const visits = () => storedVisits(store, number)
  /** Events of the site, failures first. */
  const told = async () =>
    (
      await store.read
        .selectFrom('events')
        .select(['type', 'workspace_id', 'data'])
        .where('site_id', '=', `pa_${number}`)
        .orderBy('type', 'desc')
        .execute()
    ).map(event => ({ ...event, data: JSON.parse(event.data) }))
  const rows = async (table: 'salts' | 'visitors' | 'site_days' | 'vitals' | 'clicks' | 'hits') =>
    (
      await store.read
        .selectFrom(table as 'hits')
        .selectAll()
        .where('site_id', '=', number)
        .execute()
    ).length

  behaviour('that shares days with an earlier file of the command is refused, unless it says what to do with them', async () => {
    const day = (at: number, page: string) => lines(...[10, 15, 20].map(hour => seen(at + hour * HOUR, { url: `/${page}${hour}` })))
    const [monday, tuesday, wednesday] = [MIDNIGHT - 9 * DAY, MIDNIGHT - 8 * DAY, MIDNIGHT - 7 * DAY]
    await load(day(monday, 'a') + day(tuesday, 'a'))
    const second = day(tuesday, 'b') + day(wednesday, 'b')
    const hits = () => rows('hits')
    await assert.rejects(() => load(second), /An earlier import from footfall \([0-9a-f]{64}\) has \d{4}-\d\d-\d\d\. Nothing was imported/)
    assert.equal(await hits(), 6)
    assert.equal((await load(second, { overlap: 'skip' })).row.hits, 3)
    assert.equal(await hits(), 9)
    await load(second, { overlap: 'skip' })
    assert.equal(await hits(), 9, 'the same file again adds nothing')
    await load(`${day(tuesday, 'c')}`, { overlap: 'add' })
    assert.equal(await hits(), 12)
  })

  behaviour('becomes visits, cut by 30 minutes and by the midnight of the site', async () => {
    const midnight = MIDNIGHT - 400 * DAY // summer time in Berlin: 22:00 UTC
    assert.equal(new Date(midnight).toISOString(), '2025-10-15T23:00:00.000Z')
    const { row } = await load(
      lines(
        seen(midnight - HOUR - 5 * MINUTE, { url: '/a', country: 'DE' }),
        seen(midnight - HOUR + 5 * MINUTE, { url: '/b' }),
        seen(midnight - HOUR + 34 * MINUTE, { url: '/c', name: 'Buy', revenue: 5 }),
        seen(midnight - HOUR + 64 * MINUTE, { url: '/d' }),
        seen(midnight, { url: '/e', visitor: 'bert' }),
      ),
    )
    assert.deepEqual([row.records, row.hits, row.refused, row.finished_at], [5, 5, 0, now])
    const stored = (await visits()).flat()
    assert.deepEqual(stored.map(visit => visit.hits.map(({ page }) => page)).sort(), [['/a'], ['/b', '/c'], ['/d'], ['/e']])
    assert.deepEqual([await rows('salts'), await rows('visitors')], [0, 0], 'nothing leads back to a visitor')
  })

  behaviour('makes the same visits in any order', async () => {
    const records = Array.from({ length: 400 }, (_, i) =>
      seen(MIDNIGHT - 300 * DAY + ((i * 7919) % 4000) * MINUTE, {
        url: `/${i % 7}`,
        visitor: `v${i % 23}`,
        name: i % 5 === 0 ? 'Buy' : 'pageview',
      }),
    )
    const inOrder = records.toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : 1))
    await load(lines(...inOrder))
    const expected = await visits()
    number++
    await load(lines(...records))
    assert.deepEqual(await visits(), expected)
    number++
    await load(lines(...inOrder.toReversed()))
    assert.deepEqual(await visits(), expected)
  })

  behaviour('is taken in once, under whatever name', async () => {
    const content = lines(seen(MIDNIGHT - 9 * DAY), seen(MIDNIGHT - 8 * DAY))
    assert.equal((await load(content)).before, false)
    const again = await load(content, {}, 'other.ndjson')
    assert.deepEqual([again.before, again.row.hits, await rows('hits')], [true, 2, 2])
  })

  behaviour('goes on where it was stopped, in the same visits, and only as it was begun', async () => {
    const content = lines(
      ...Array.from({ length: 1800 }, (_, i) =>
        seen(MIDNIGHT - 20 * DAY + i * 9 * MINUTE, { url: `/${i}`, visitor: `v${i % 3}`, props: { filler: 'x'.repeat(1000) } }),
      ),
    )
    const stop = new AbortController()
    const first = await load(content, { signal: stop.signal, onProgress: () => stop.abort() })
    assert.ok(first.row.finished_at === null && first.row.hits > 0 && first.row.hits < 1800)
    assert.equal(await rows('hits'), first.row.hits)
    await forgetVisitors(store, now + HOUR)
    assert.ok((await rows('visitors')) > 0, 'who was there is known until the file is done')
    assert.deepEqual(await told(), [], 'it has not ended')

    await assert.rejects(load(content, { zone: 'Asia/Tokyo' }), /began with other options/)
    const second = await load(content)
    assert.deepEqual([second.row.hits, await rows('hits')], [1800, 1800])
    const resumed = await visits()
    assert.equal(await rows('visitors'), 0)
    number++
    await load(content)
    assert.deepEqual(resumed, await visits())
  })

  behaviour('an import forgets visitors a day after a run that is not continued', async () => {
    const content = lines(
      ...Array.from({ length: 1500 }, (_, i) => seen(MIDNIGHT - 20 * DAY + i * MINUTE, { props: { filler: 'x'.repeat(1000) } })),
    )
    const stop = new AbortController()
    await load(content, { signal: stop.signal, onProgress: () => stop.abort() })
    await forgetVisitors(store, now + 23 * HOUR)
    assert.ok((await rows('salts')) > 0)
    await forgetVisitors(store, now + 25 * HOUR)
    assert.deepEqual([await rows('salts'), await rows('visitors')], [0, 0])
  })

  behaviour('goes into days that have hits already, closed or open', async () => {
    const hits = openHitStore(store, { now: () => MIDNIGHT - 5 * DAY + 13 * HOUR, randomBytes })
    const known = {
      site: number,
      identity: { ip: '203.0.113.7', userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0' },
    }
    await hits.append([hit({ ...known, at: MIDNIGHT - 5 * DAY + 12 * HOUR, page: '/live' })])
    await hits.close()
    await forgetVisitors(store, now)
    const today = openHitStore(store, { now: () => now, randomBytes })
    await today.append([hit({ ...known, at: now - 10 * MINUTE, page: '/live' })])
    await today.close()
    const revs = () => store.read.selectFrom('site_days').select('rev').where('site_id', '=', number).orderBy('day').execute()
    const before = await revs()

    const who = { visitor: undefined, ip: known.identity.ip, user_agent: known.identity.userAgent }
    await load(
      lines(seen(MIDNIGHT - 5 * DAY + 12 * HOUR + MINUTE, { ...who, url: '/moved' }), seen(now - 5 * MINUTE, { ...who, url: '/moved' })),
    )
    const stored = (await visits()).map(visitor => visitor.map(visit => visit.hits.map(({ page }) => page)))
    assert.deepEqual(
      stored.sort(),
      [[['/live', '/moved']], [['/live']], [['/moved']]].sort(),
      'an address is known as long as its day is open',
    )
    const after = await revs()
    assert.equal(after.length, 2)
    for (const [i, { rev }] of after.entries()) assert.ok(rev > (before[i]?.rev ?? 0), 'the day is told to have changed')
  })

  behaviour('has what is wrong with it refused by line, and the rest taken in', async () => {
    const { row, refused } = await load(
      [
        JSON.stringify(seen(now - HOUR)),
        'no json',
        JSON.stringify(seen(now + HOUR)),
        JSON.stringify({ url: '/', visitor: 'v' }),
        JSON.stringify(seen(now - HOUR, { name: 'engagement', scroll: 50, visitor: 'nobody' })),
        JSON.stringify(seen(now - 40 * DAY)),
        '',
        JSON.stringify(seen(now - 30 * MINUTE, { revenue: { currency: 'USD', amount: 3 }, name: 'Buy' })),
      ].join('\n'),
      { retentionDays: 30 },
    )
    assert.deepEqual([row.records, row.hits, row.refused, row.moneyless], [7, 2, 5, 1])
    const said = refused.map(({ line, reason }) => ({ line, reason: String(reason) }))
    assert.deepEqual(said, [
      { line: 2, reason: 'the line is not JSON' },
      { line: 3, reason: 'The hit is dated more than five minutes ahead' },
      { line: 4, reason: 'timestamp is required' },
      { line: 5, reason: 'An engagement signal that follows no visit within 30 minutes' },
      { line: 6, reason: 'The hit is older than RETENTION_DAYS' },
    ])
  })

  behaviour('keeps the first ten thousand refusals, and counts all', async () => {
    const { row, refused } = await load('x\n'.repeat(10_500))
    assert.deepEqual([row.refused, refused.length, refused.at(-1)?.line], [10_500, 10_000, 10_000])
  })

  behaviour('has times of fifty years ago and of this minute, and its measurements', async () => {
    await load(
      lines(
        seen(Date.UTC(1976, 5, 1)),
        seen(now),
        seen(now, { url: '/m', engaged_ms: 5000, scroll: 70, vitals: { lcp: 1200 } }),
        seen(now, { url: '/m', name: 'click', clicks: [{ s: '#buy', x: 5000, y: 300 }] }),
      ),
    )
    const stored = (await visits()).flat().flatMap(visit => visit.hits)
    assert.deepEqual(stored.map(({ at }) => new Date(at).getUTCFullYear()).sort(), [1976, 2026, 2026])
    assert.deepEqual(
      stored.filter(({ page }) => page === '/m').map(({ engagedMs, scroll }) => [engagedMs, scroll]),
      [[5000, 70]],
    )
    assert.deepEqual([await rows('vitals'), await rows('clicks')], [1, 1])
  })

  behaviour('may be a CSV, with columns of other names', async () => {
    const unread: string[] = []
    const { row, refused } = await load(
      '\ufeffcreated_at,page,session_id,event_name,props,shoe\r\n' +
        `2026-01-05 10:00:00,/a,s1,,,9\r\n2026-01-05 10:01:00,/b,s1,Buy,"{""plan"":""pro, yearly""}",9\r\n2026-01-05 10:02:00,/c\r\n`,
      {
        map: { timestamp: 'created_at', url: 'page', visitor: 'session_id' },
        zone: 'America/New_York',
        onUnread: columns => unread.push(...columns),
      },
      'hits.csv',
    )
    assert.deepEqual([row.hits, refused, unread], [2, [{ line: 4, reason: 'the record has 2 fields, the header 6' }], ['shoe']])
    const [[visit] = []] = await visits()
    assert.deepEqual(
      visit?.hits.map(({ page, event, props }) => [page, event, props]),
      [
        ['/a', '', {}],
        ['/b', 'Buy', { plan: 'pro, yearly' }],
      ],
    )
    assert.equal(new Date(visit?.startedAt ?? 0).toISOString(), '2026-01-05T15:00:00.000Z')
    await assert.rejects(load('a,b\n1,2\n', {}, 'other.csv'), /needs columns for timestamp, url, visitor/)
  })

  behaviour('may be read in another way while nothing was taken from it', async () => {
    const content = `when,url,visitor\n${MIDNIGHT - DAY},/,anna\n`
    await assert.rejects(load(content, {}, 'other.csv'), /needs columns for timestamp; it has when, url, visitor/)
    const { row } = await load(content, { map: { timestamp: 'when' } }, 'other.csv')
    assert.deepEqual([row.hits, row.finished_at], [1, now])
  })

  behaviour('the end of an import emits its event in the same transaction', async () => {
    const content = lines(seen(MIDNIGHT - 9 * DAY), seen(MIDNIGHT - 8 * DAY), { url: '/' })
    const emitIn: ImportOptions['emitIn'] = (trx, at) => {
      const emit = emitter([], { config: readConfig({}), random: randomBytes })(trx, at)
      const failing = async (kind: EventKind, about: { workspaceId: string; siteId: string | null; data: never }) => {
        await emit(kind, about)
        if (kind.type === 'import.completed') throw new Error('the disk is full')
      }
      return failing as Emit // an import only emits events
    }
    await assert.rejects(load(content, { emitIn }), /the disk is full/)
    const { row } = await load(content)
    assert.deepEqual([row.hits, row.finished_at], [2, now])
    await load(content)
    const id = row.fingerprint
    assert.deepEqual(await told(), [
      { type: 'import.failed', workspace_id: 'ws_1', data: { import_id: id, error: 'the disk is full' } },
      { type: 'import.completed', workspace_id: 'ws_1', data: { import_id: id, rows: 2 } },
    ])
  })

  behaviour('a failed import emits an event with the reason, and continues afterwards', async () => {
    const columns = Array.from({ length: 3000 }, (_, i) => `column_${i}`).join(',')
    await assert.rejects(load(`${columns}\n`, {}, 'wide.csv'), /needs columns/)
    const [wide, ...others] = await told()
    assert.deepEqual([wide?.type, wide?.data.error.length, others], ['import.failed', 2000, []])
    number++
    const content = lines(
      ...Array.from({ length: 1500 }, (_, i) => seen(MIDNIGHT - 20 * DAY + i * MINUTE, { props: { filler: 'x'.repeat(1000) } })),
    )
    await assert.rejects(
      load(content, {
        onProgress() {
          throw new Error('no terminal')
        },
      }),
      /no terminal/,
    )
    assert.ok((await rows('hits')) > 0)
    await load(content)
    assert.deepEqual(
      (await told()).map(({ type, data }) => [type, data.error ?? data.rows]),
      [
        ['import.failed', 'no terminal'],
        ['import.completed', 1500],
      ],
    )
  })

  behaviour('keeps within the limits of new texts', async () => {
    await load(lines(...Array.from({ length: 9 }, (_, i) => seen(MIDNIGHT - 50 * DAY + i * MINUTE, { url: `/${i}` }))), {
      limits: { ...defaultLimits, paths: 4 },
    })
    const [[visit] = []] = await visits()
    assert.deepEqual(
      visit?.hits.map(({ page }) => page),
      ['/0', '/1', '/2', '/3', ...Array(5).fill('(other)')],
    )
    await dictionary(store, number)
  })

  behaviour('is taken in by one run at a time', async () => {
    const content = lines(
      ...Array.from({ length: 1500 }, (_, i) =>
        seen(MIDNIGHT - 20 * DAY + i * MINUTE, { url: `/${i}`, props: { filler: 'x'.repeat(1000) } }),
      ),
    )
    const runs = await Promise.allSettled([load(content, {}, 'one.ndjson'), load(content, {}, 'two.ndjson')])
    assert.ok(runs.some(({ status }) => status === 'fulfilled'))
    for (const run of runs) if (run.status === 'rejected') assert.match(String(run.reason), /Another run is importing this file/)
    assert.equal(await rows('hits'), 1500)
    assert.deepEqual(
      (await told()).map(({ type }) => type),
      ['import.completed'],
    )
  })
})
