/** Cuts the days of a site whose time zone was changed, with interruptions in the middle of a day and between days. */
import assert from 'node:assert/strict'
import { days_recut } from '../../operations/sites/sites/tasks.ts'
import { recutDay } from '../../storage/hits/recut-day.ts'
import { forgetVisitors } from '../../storage/hits/retention.ts'
import { taskContext } from './task-context.ts'
import type { TestService } from './world.ts'

/** @param check called after each interruption, and at the end. @returns how often it was interrupted */
export async function recutInSteps(service: TestService, site: { number: number }, check: () => Promise<void>): Promise<number> {
  const { app, store, clock } = service
  const row = () => store.read.selectFrom('sites').selectAll().where('number', '=', site.number).executeTakeFirstOrThrow()
  await forgetVisitors(store, clock.now)
  let interrupted = 0
  for (let steps = 0; (await row()).old_days_before !== null; steps++) {
    assert.ok(steps < 60, 'the days are never cut')
    const stop = new AbortController()
    const { timezone: zone } = await row()
    const days = await store.read.selectFrom('site_days').select('day').where('site_id', '=', site.number).orderBy('day').execute()
    const half = { site: site.number, zone, now: clock.now, signal: stop.signal, visitsAtOnce: 2, mayCut: async () => true }
    for (const { day } of days) if (!stop.signal.aborted) await recutDay(store, { ...half, divided: async () => stop.abort() }, day)
    if (stop.signal.aborted) interrupted++
    await check()
    const between = new AbortController()
    await days_recut.run({ ...taskContext(app, between.signal), progress: () => between.abort() })
    if (between.signal.aborted) await check()
  }
  await check()
  return interrupted
}
