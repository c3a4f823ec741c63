/**
 * Repeated kill -9 while files of exports are made, on Postgres by two processes at once: a file is there whole or not at
 * all, with each row once.
 */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { siteIn, startImporting } from '../exchange/imports/site.ts'
import { traffic } from '../exchange/traffic.ts'
import { later } from '../runtime/tasks/tasks.ts'
import { chanceOf } from '../support/chance.ts'
import { isFull, someOf } from '../support/full.ts'
import { onSharedEngine } from '../support/engines.ts'
import { runWorkers, sideBySide } from './workers.ts'

const maxKills = Number(process.env.KILLS ?? (isFull ? 3 : 1))
const chance = chanceOf('exports')
const MAX_STATEMENTS = 200

onSharedEngine('an export that is killed again and again', engine => {
  test('has each hit once', async () => {
    const service = await startImporting(engine)
    service.clock.now = Date.now()
    const site = await siteIn(service)
    await site.load('footfall', 'hits.ndjson', traffic(1_000, service.clock.now))
    const parts = () => fs.readdirSync(service.folder).filter(name => name.startsWith('exp_') && name.includes('.'))
    /** A moment at which a fast machine is not done yet. */
    const whenFileBegun = async (one: ChildProcess) => {
      while (parts().length === 0 && one.exitCode === null) await later(1)
    }
    let kills = 0
    for (const format of someOf(['ndjson', 'parquet'] as const, 1)) {
      const { data: made } = await site.get('exports_create', { kind: 'hits', format })
      for (let left = maxKills; ; left--) {
        const env = { DATABASE_URL: service.url, TASKS: 'exports_run', FILES_URL: `file:${service.folder}` }
        const kill = left === 0 ? undefined : left === maxKills ? whenFileBegun : chance.int(1, MAX_STATEMENTS)
        await runWorkers(env, sideBySide(engine), kill)
        const { data } = await site.get('exports_get', { id: made.id })
        const file = path.join(service.folder, made.id)
        assert.equal(data.download_url !== null, data.status === 'completed')
        if (data.status === 'completed') {
          const content = fs.readFileSync(file)
          assert.deepEqual([content.length, createHash('sha256').update(content).digest('hex')], [data.bytes, data.sha256])
          if (format === 'ndjson') {
            const lines = content.toString().trimEnd().split('\n')
            assert.equal(lines.length, data.rows)
            const { count } = await service.store.read
              .selectFrom('hits')
              .select(({ fn }) => fn.countAll<number>().as('count'))
              .where('site_id', '=', site.number)
              .executeTakeFirstOrThrow()
            assert.equal(lines.filter(line => JSON.parse(line).name !== 'engagement').length, count)
          }
          break
        }
        kills++
      }
    }
    assert.ok(kills > 0 || (isFull && engine.name === 'postgres'), 'it was killed in the middle')
    assert.deepEqual(parts(), [], 'nothing is left over')
    await service.close()
  })
})
