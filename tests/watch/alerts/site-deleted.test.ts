/** Deleting a site deletes its checks and alerts, after resolving their open incidents. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { removeSite, type World, makeWorld, startService, type TestService } from '../../support/world.ts'

onAnyEngine('a site that is deleted', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
  })
  after(() => service.close())

  test('deleting a site resolves and announces the open incidents of its alerts, and deletes its alerts and checks', async () => {
    const other = await makeWorld(service)
    const { alert, workspace, check, channel } = world.ids
    const db = service.store.write
    await db
      .insertInto('alert_channels')
      .values({ alert_id: alert ?? '', channel_id: channel ?? '', position: 0 })
      .execute()
    await db
      .updateTable('alert_incidents')
      .set({ announced_at: service.clock.now })
      .where('alert_id', '=', alert ?? '')
      .execute()
    assert.equal((await removeSite(service, world)).status, 200)

    const events = await db
      .selectFrom('events')
      .select(['type', 'data'])
      .where('workspace_id', '=', workspace ?? '')
      .orderBy('id')
      .execute()
    assert.deepEqual(events.map(({ type }) => type).sort(), ['alert.resolved', 'site.deleted'])
    const told = JSON.parse(events.find(({ type }) => type === 'alert.resolved')?.data ?? '')
    assert.deepEqual([told.alert.id, told.alert.state, told.alert.channel_ids], [alert, 'ok', [channel]])
    assert.deepEqual([told.incident.resolution, told.incident.resolved_at], ['deleted', new Date(service.clock.now).toISOString()])
    const messages = await db
      .selectFrom('notifications')
      .select('message')
      .where('channel_id', '=', channel ?? '')
      .execute()
    assert.deepEqual(
      messages.map(({ message }) => JSON.parse(message).type),
      ['alert.resolved'],
    )

    const left = async (table: 'alerts' | 'uptime_checks', id: string | undefined) =>
      (
        await db
          .selectFrom(table)
          .select('id')
          .where('id', '=', id ?? '')
          .execute()
      ).length
    assert.deepEqual([await left('alerts', alert), await left('uptime_checks', check)], [0, 0])
    assert.deepEqual(
      [await left('alerts', other.ids.alert), await left('uptime_checks', other.ids.check)],
      [1, 1],
      'and nothing of another',
    )
  })
})
