/** The notification channels of an alert, in order. Deleted channels drop out by foreign key. */
import { failWith } from '../../../runtime/table/errors.ts'
import { m } from './messages.ts'
import { type Db, isForeignKeyViolation } from '../../../storage/store.ts'
import { addTo } from '../../../storage/values/grouped.ts'

export async function channelsOf(db: Db, alertId: string): Promise<string[]> {
  return (await channelsOfEach(db, [alertId]))(alertId)
}

/** @returns looks up the channels of one of these alerts */
export async function channelsOfEach(db: Db, alertIds: readonly string[]): Promise<(alertId: string) => string[]> {
  const rows =
    alertIds.length === 0
      ? []
      : await db
          .selectFrom('alert_channels')
          .selectAll()
          .where('alert_id', 'in', [...alertIds])
          .orderBy('alert_id')
          .orderBy('position')
          .execute()
  const lists = new Map<string, string[]>()
  for (const { alert_id, channel_id } of rows) addTo(lists, alert_id, channel_id)
  return alertId => lists.get(alertId) ?? []
}

/**
 * @param channelIds without duplicates
 * @throws Failure 422 if one of them was deleted in the meantime
 */
export async function setChannels(db: Db, alertId: string, channelIds: readonly string[]): Promise<void> {
  await db.deleteFrom('alert_channels').where('alert_id', '=', alertId).execute()
  if (channelIds.length === 0) return
  const rows = channelIds.map((channel_id, position) => ({ alert_id: alertId, channel_id, position }))
  await db
    .insertInto('alert_channels')
    .values(rows)
    .execute()
    .catch((error: unknown) => {
      if (!isForeignKeyViolation(error)) throw error
      failWith([{ pointer: '/channel_ids', code: 'not_found', message: m.channel_just_deleted() }])
    })
}
