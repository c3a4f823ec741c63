/** A day with many rows is read a piece at a time, and is the same day. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLocal } from '../../../storage/engine/local.ts'
import { partsOf, readInPieces } from '../../../storage/engine/days/read-in-pieces.ts'
import { readDays } from '../../../storage/engine/days/read-days.ts'
import { type SiteDay, siteDays } from '../../../storage/engine/days/site-days.ts'
import { readBlobs } from '../../../storage/engine/days/segments.ts'
import { sql } from 'kysely'
import { onEachEngine } from '../../support/engines.ts'
import { addSite, hit, type Sent, store as keep } from './traffic.ts'

const day = Date.parse('2026-03-10')
const MINUTE = 60_000

/** A few visitors; one of them with a visit of many hits, that came late in part and have properties. */
const sent: readonly Sent[] = [
  ...Array.from({ length: 40 }, (_, i) => ({ who: `v${i % 9}`, at: day + i * 7 * MINUTE, page: `/${i % 5}` })),
  ...Array.from({ length: 90 }, (_, i) => ({
    who: 'busy',
    at: day + ((i * 37) % 90) * 2 * MINUTE,
    event: `e${i % 3}`,
    props: { plan: `p${i % 4}`, count: i },
  })),
  ...Array.from({ length: 30 }, (_, i) => ({
    who: `v${i % 9}`,
    at: day + i * 9 * MINUTE,
    page: `/${i % 3}`,
    kind: 'vitals' as const,
    vitals: { lcp: 1000 + i, cls: 100 + i },
  })),
  ...Array.from({ length: 20 }, (_, i) => ({
    who: `v${i % 9}`,
    at: day + i * 9 * MINUTE,
    kind: 'clicks' as const,
    clicks: [{ selector: `#b${i % 4}`, x: i, y: i * 10 }],
  })),
]

onEachEngine('a day in pieces', engine => {
  test('is the day that is read at once: its columns, and its sealed form to the byte', async () => {
    const { store, drop } = await engine.create()
    // Their rows are sealed in the order in which the database reads them, and its plan must not change in between.
    if (engine.name === 'postgres')
      for (const table of ['vitals', 'clicks'])
        await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(store.write)
    const site = await addSite(store, 'UTC')
    await keep(
      store,
      sent.map(one => hit(site, one)),
    )
    const listed = await siteDays(store.read, site.number, 0, 100_000)
    const number = listed[0]?.day ?? 0
    const read = (max?: number, days: readonly SiteDay[] = listed) =>
      readDays(store.read, { cluster: store.cluster, site: site.number, days, max })
    const atOnce = await read()
    assert.ok((atOnce[0]?.hits.count ?? 0) > 100 && (atOnce[0]?.props.count ?? 0) > 100)
    const sealed = (rowsAtOnce?: number) => openLocal(store, { cacheBytes: 1e6, rowsAtOnce }).sealed(site.number, number)
    const whole = await sealed()
    for (const max of [1, 7, 64, 129, 130, 131]) {
      assert.deepEqual(await read(max), atOnce, `${max} rows at a time`)
      assert.deepEqual(await sealed(max), whole, `${max} rows at a time`)
    }
    await drop()
  })

  test('has every row in one piece, in the order of the key', async () => {
    const { store, drop } = await engine.create()
    const site = await addSite(store, 'UTC')
    await keep(
      store,
      sent.map(one => hit(site, one)),
    )
    const where = sql`site_id = ${site.number} and day = ${Math.floor(day / 86_400_000)}`
    const parts = partsOf(['visit_id', 'seq'])
    const { visit_id, seq } = await readInPieces({
      rows: { db: store.read, table: 'hits', where },
      parts,
      key: ['visit_id', 'seq'],
      max: 10,
    })
    const rows = await store.read
      .selectFrom('hits')
      .select(['visit_id', 'seq'])
      .where('site_id', '=', site.number)
      .orderBy('visit_id')
      .orderBy('seq')
      .execute()
    assert.deepEqual(
      [...visit_id],
      rows.map(row => row.visit_id),
    )
    assert.deepEqual(
      [...seq],
      rows.map(row => row.seq),
    )
    const nothing = await readInPieces({
      rows: { db: store.read, table: 'clicks', where: sql`site_id = -1 and day = 0` },
      parts: partsOf(['x']),
      key: ['page'],
      max: 1,
    })
    assert.equal(nothing.x?.length, 0)
    await drop()
  })

  test('a large column is read in pieces', async () => {
    const { store, drop } = await engine.create()
    const [small, large] = [Uint8Array.from({ length: 9 }, (_, i) => i), Uint8Array.from({ length: 1_001 }, (_, i) => i % 251)]
    const rows = [small, large].map((data, col) => ({ site_id: 1, col, day: 5, data }))
    await store.write.insertInto('segment_cols').values(rows).execute()
    for (const max of [undefined, 1_001, 1_000, 10, 9, 1]) {
      const blobs = await readBlobs(store.read, { table: 'segment_cols', site: 1, numbers: [0, 1], from: 5, to: 5, max })
      const found = new Map(blobs.map(({ col, data }) => [col, [...data]]))
      assert.deepEqual([found.get(0), found.get(1)], [[...small], [...large]], `${max} bytes at a time`)
    }
    await drop()
  })
})
