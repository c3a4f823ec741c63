import { setImmediate } from 'node:timers/promises'
import { onHook } from '../../../runtime/events/subscriber.ts'
import { workspace_deleting } from '../../people/workspaces/index.ts'
import { isLive } from './records.ts'
import { retire } from './retire.ts'

export const retire_sites = onHook(workspace_deleting, async ({ workspace }, { db, now, emit }) => {
  const sites = await db.selectFrom('sites').selectAll().where('workspace_id', '=', workspace.id).where('deleted_at', 'is', null).execute()
  for (const site of sites.filter(isLive)) {
    await retire(db, { now, emit }, site)
    await setImmediate() // SQLite answers synchronously, so hundreds of sites would block all other requests
  }
})
