/** Writes events, for the app and for commands that are none. */
import type { Db } from '../storage/store.ts'
import type { Emit } from './event.ts'
import { type IdKind, makeId } from './ids.ts'
import type { Subscriber } from './subscriber.ts'
import { matches } from './validate.ts'

/**
 * @param subscribers hear of each event in its transaction
 * @returns emits in a transaction, `at` the event's time; throws where data does not fit what was declared
 */
export function emitter(
  subscribers: readonly Subscriber[], random: (size: number) => Buffer,
): (trx: Db, at: number) => Emit {
  return (trx, at) => async (kind, { workspaceId, siteId, data }) => {
    if (!matches(kind.data, data)) throw new Error(`event ${kind.type}: its data does not fit its schema`)
    const newId = (of: IdKind) => makeId(of, at, random(14))
    const event = {
      id: newId('event'), type: kind.type, workspace_id: workspaceId, site_id: siteId,
      data: JSON.stringify(data), created_at: at,
    }
    await trx.insertInto('events').values(event).execute()
    for (const hear of subscribers) await hear(trx, event, { newId, random })
  }
}
