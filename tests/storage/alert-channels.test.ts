/** The migration that turns lists of channels into rows: in order, without deleted ones. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { runStep } from '../../storage/migrations/run-step.ts'
import { onEachEngine } from '../support/engines.ts'
import { makeWorld, startService } from '../support/world.ts'

onEachEngine('the channels of alerts', engine => {
  test('are moved from their lists to rows', async () => {
    const service = await startService(engine)
    const { write, dialect } = service.store
    const [one, other] = [await makeWorld(service), await makeWorld(service)]
    const [first = '', second = ''] = [one.ids.channel, other.ids.channel]
    await sql`drop table alert_channels`.execute(write)
    await sql`alter table alerts add column channel_ids text not null default '[]'`.execute(write)
    const list = JSON.stringify([second, 'nch_gone', first, second])
    await sql`update alerts set channel_ids = ${list} where id = ${one.ids.alert}`.execute(write)
    await runStep(write as never, dialect, '2026-11-22-1-alert-channels') // as the migrator calls it

    const rows = await write.selectFrom('alert_channels').selectAll().orderBy('position').execute()
    assert.deepEqual(
      rows.map(({ alert_id, channel_id }) => [alert_id, channel_id]),
      [
        [one.ids.alert, second],
        [one.ids.alert, first],
      ],
    )
    await assert.rejects(sql`select channel_ids from alerts`.execute(write), 'the list is gone')
    await write.deleteFrom('channels').where('id', '=', second).execute()
    assert.equal((await write.selectFrom('alert_channels').selectAll().execute()).length, 1, 'a channel leaves with its row')
    await service.close()
  })
})
