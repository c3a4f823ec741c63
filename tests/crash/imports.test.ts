/** Repeated kill -9 during imports of hits and of totals, on Postgres by two processes at once: nothing twice, nothing missing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type Importing, type Site, siteIn, startImporting } from '../exchange/imports/site.ts'
import { onSharedEngine } from '../support/engines.ts'
import { chanceOf } from '../support/chance.ts'
import { isFull } from '../support/full.ts'
import { runWorkers, sideBySide } from './workers.ts'

const maxKills = Number(process.env.KILLS ?? (isFull ? 3 : 1))
const rows = 1_000 * (maxKills + 1)
const chance = chanceOf('imports')
const MAX_STATEMENTS = 150

onSharedEngine('an import that is killed again and again', engine => {
  const killed = async (service: Importing, site: Site, id: string): Promise<number> => {
    await site.get('imports_start', { id })
    let kills = 0
    for (;;) {
      const env = { DATABASE_URL: service.url, TASKS: 'imports_run', FILES_URL: `file:${service.folder}` }
      await runWorkers(env, sideBySide(engine), kills < maxKills ? chance.int(1, MAX_STATEMENTS) : undefined)
      const { data } = await site.get('imports_get', { id })
      if (data.status === 'completed') return kills
      assert.ok(['pending', 'running'].includes(data.status), JSON.stringify(data))
      kills++
    }
  }

  test('has each hit once, and each total once', async () => {
    const service = await startImporting(engine)
    const site = await siteIn(service)
    const lines = Array.from({ length: rows }, (_, i) =>
      JSON.stringify({
        timestamp: Date.UTC(2025, 1, 1) + i * 60_000,
        url: `/${i}`,
        visitor: `v${i % 97}`,
        props: { filler: 'x'.repeat(500) },
        ...(i % 10 === 9 && { timestamp: 'never' }),
      }),
    )
    const hits = await site.upload('footfall', 'hits.ndjson', lines.join('\n'))
    const kills = await killed(service, site, hits)
    const done = (await site.get('imports_get', { id: hits })).data
    assert.deepEqual([done.rows_read, done.rows_taken, done.rows_refused], [rows, rows * 0.9, rows * 0.1])
    const stored = await service.store.read
      .selectFrom('hits')
      .select(({ fn }) => [fn.countAll<number>().as('all'), fn.count<number>('page').distinct().as('pages')])
      .where('site_id', '=', site.number)
      .executeTakeFirstOrThrow()
    assert.deepEqual([stored.all, stored.pages], [rows * 0.9, rows * 0.9])
    const refused = await service.store.read.selectFrom('import_refusals').selectAll().where('import_id', '=', hits).execute()
    assert.equal(new Set(refused.map(({ line }) => line)).size, rows * 0.1)

    const totals = ['date,page,visitors,pageviews', ...Array.from({ length: rows * 5 }, (_, i) => `2024-01-0${1 + (i % 9)},/${i},1,2`)]
    const pages = await site.upload('plausible', 'imported_pages.csv', totals.join('\n'))
    const more = await killed(service, site, pages)
    const { rows: counted } = await sql<{ all: number; pages: number }>`
      select count(*) as "all", count(distinct page) as pages from imported_pages where import_id = ${pages}`.execute(service.store.read)
    assert.deepEqual(counted, [{ all: rows * 5, pages: rows * 5 }])
    assert.ok(kills + more > 0 || (isFull && engine.name === 'postgres'), 'it was killed in the middle')
    await service.close()
  })

  test('replaces only days that it reaches, and leaves none empty, however often it is killed', async () => {
    const service = await startImporting(engine)
    const site = await siteIn(service)
    const days = Array.from({ length: 8 }, (_, i) => Date.UTC(2025, 1, 2 + i, 9))
    const perDay = 150
    const fileOf = (name: string) =>
      days
        .flatMap(day =>
          Array.from({ length: perDay }, (_, i) =>
            JSON.stringify({ timestamp: day + i * 60_000, url: `/${name}`, visitor: `v${i}`, props: { filler: 'x'.repeat(900) } }),
          ),
        )
        .join('\n')
    assert.equal((await site.load('footfall', 'old.ndjson', fileOf('old'))).status, 'completed')
    const id = await site.upload('footfall', 'new.ndjson', fileOf('new'), { overlap: 'replace' })
    await site.get('imports_start', { id })
    const env = { DATABASE_URL: service.url, TASKS: 'imports_run', FILES_URL: `file:${service.folder}` }
    const viewsOf = async () => {
      const { data } = await site.get('stats_breakdown', { from: '2025-02-01', to: '2025-02-28', dimension: 'page', metrics: 'pageviews' })
      const of = (page: string): number => data.rows.find(({ value }: { value: string }) => value === page)?.pageviews ?? 0
      return { old: of('/old'), new: of('/new') }
    }
    const all = days.length * perDay
    let read = 0
    // Before the first hit it sends some 55 statements.
    for (let at = 50; read === 0; at += 10) {
      await runWorkers(env, 1, at)
      read = (await site.get('imports_get', { id })).data.rows_read
    }
    assert.ok(read < all, `${read}: it was killed in the middle`)
    const reached = Math.ceil(read / perDay)
    const middle = await viewsOf()
    assert.equal(middle.new, read)
    assert.ok(middle.old >= (days.length - reached - 1) * perDay, JSON.stringify({ ...middle, reached }))
    await site.get('imports_cancel', { id })
    assert.deepEqual(await viewsOf(), middle, 'days that a cancelled import has not reached stay')

    const again = await site.upload('footfall', 'new.ndjson', fileOf('new'), { overlap: 'replace' })
    await killed(service, site, again)
    assert.deepEqual(await viewsOf(), { old: 0, new: all })
    await service.close()
  })
})
