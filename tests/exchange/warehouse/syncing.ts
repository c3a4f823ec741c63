/** A site with traffic, a bucket on a server that speaks S3, and syncs that run when a test says so. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { table } from '../../../operations/index.ts'
import { syncing } from '../../../operations/exchange/warehouse/task-name.ts'
import { createScheduler } from '../../../runtime/tasks/scheduler.ts'
import type { Engine } from '../../support/engines.ts'
import { callHttp, type Reply } from '../../support/world.ts'
import { type Importing, type Site, siteBeside, siteIn, startImporting } from '../imports/site.ts'
import { traffic } from '../traffic.ts'

export interface Syncing {
  readonly service: Importing
  readonly site: Site
  call(name: string, input?: Record<string, unknown>): Promise<Reply>
  /** Its answer, which must be a success. */
  get(name: string, input?: Record<string, unknown>): Promise<any>
  /** Looks for what is due, as the task does. */
  sync(): Promise<void>
  /** As if so much time had passed for syncs: servers refuse requests that are signed by another clock than theirs. */
  later(ms: number): Promise<void>
  close(): Promise<void>
}

/** Each day is a few requests to a bucket, and what is sent is the same for each. */
const DAYS = 10

/** @param visitors hits of some weeks, loaded into the site */
export async function startSyncing(engine: Engine, visitors: number, settings: Record<string, string> = {}): Promise<Syncing> {
  const service = await startImporting(engine, { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', ...settings })
  service.clock.now = Date.now() // requests to a bucket are signed by the clock
  const site = await siteBeside(service, await siteIn(service))
  await service.store.write.deleteFrom('warehouse_syncs').execute()
  if (visitors > 0) {
    const loaded = await site.load('footfall', 'hits.ndjson', traffic(visitors, service.clock.now, DAYS))
    assert.equal(loaded.status, 'completed')
    service.clock.now = Date.now() // loading has set it forward, and workers next to the service use the real time
  }
  const scheduler = createScheduler(service.app)
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const operation = table.operations.get(name)
    assert.ok(operation, name)
    return callHttp(service, operation, { workspace_id: site.world.ids.workspace, ...input }, site.world.token)
  }
  return {
    service,
    site,
    call,
    async get(name, input) {
      const reply = await call(name, input)
      assert.ok(reply.status < 300, `${name}: ${reply.status} ${reply.text}`)
      return reply.body.data
    },
    async sync() {
      scheduler.wake(syncing)
      await scheduler.runDue([syncing])
      const row = await service.store.read.selectFrom('tasks').select('last_error').where('name', '=', syncing).executeTakeFirst()
      assert.equal(row?.last_error ?? null, null)
    },
    async later(ms) {
      const { write } = service.store
      await write
        .updateTable('warehouse_syncs')
        .set(({ eb }) => ({ next_at: eb('next_at', '-', ms) }))
        .execute()
      await write
        .updateTable('warehouse_sync_days')
        .set(({ eb }) => ({ sent_at: eb('sent_at', '-', ms) }))
        .execute()
      await write
        .updateTable('warehouse_sync_runs')
        .set(({ eb }) => ({ started_at: eb('started_at', '-', ms) }))
        .execute()
    },
    async close() {
      await scheduler.stop()
      await service.close()
    },
  }
}

/** Every file below a folder, by its path. */
export function filesIn(folder: string): Map<string, Buffer> {
  const found = new Map<string, Buffer>()
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('_object')) continue
    const file = path.join(entry.parentPath, entry.name)
    found.set(path.relative(folder, file).replace('._S3rver_object', ''), fs.readFileSync(file))
  }
  return found
}
