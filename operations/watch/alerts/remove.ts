import type { AlertRow } from '../../../storage/tables/index.ts'
import { channelsOf } from './channels.ts'
import { type Changing, holdIfThere, resolveOpen } from './incidents.ts'

/** Deletes an alert; an open incident is resolved first. @returns it as it was; undefined where it is gone already */
export async function remove(
  changing: Changing, id: string,
): Promise<{ alert: AlertRow; channels: string[] } | undefined> {
  const { db } = changing
  const alert = await holdIfThere(db, id)
  if (!alert) return undefined
  const channels = await channelsOf(db, id)
  await resolveOpen(changing, { ...alert, state: 'ok' }, alert.site_id, 'deleted')
  await db.deleteFrom('alerts').where('id', '=', id).execute()
  return { alert, channels }
}
