/** Writes events and calls subscribers, for the app and for commands without one. */
import type { Db } from '../../storage/store.ts'
import type { Config } from '../settings/config.ts'
import type { Emit, EventKind } from './event.ts'
import type { Hook } from './hook.ts'
import { eventId, type IdKind, makeId } from '../values/ids.ts'
import type { SubscriberContext, Subscriber } from './subscriber.ts'
import { matches } from '../values/matches.ts'

interface About {
  readonly workspaceId: string
  readonly siteId: string | null
  readonly data: unknown
}

/**
 * @param subscribers receive events and hooks in the same transaction, in this order
 * @returns emits in a transaction at the time `at`; throws if the data does not match the declaration
 */
export function emitter(
  subscribers: readonly Subscriber[],
  { config, random }: { config: Config; random(size: number): Buffer },
): (trx: Db, at: number) => Emit {
  return (trx, at) => {
    const newId = (of: IdKind) => makeId(of, at, random(14))
    const context: SubscriberContext = { db: trx, now: at, config, emit: emit as Emit, newId, random } // `emit` distinguishes the overloads

    async function emit(kind: EventKind | Hook<never>, about: unknown): Promise<void> {
      const happened = 'when' in kind ? about : await written(kind, about as About) // guaranteed by Emit's overloads
      for (const { of, hear } of subscribers) {
        if (of ? of.includes(kind) : !('when' in kind)) await hear(happened as never, context) // the subscriber named this kind
      }
    }

    async function written(kind: EventKind, { workspaceId, siteId, data }: About) {
      if (!matches(kind.data, data)) throw new Error(`event ${kind.type}: its data does not fit its schema`)
      const event = {
        id: newId(eventId),
        type: kind.type,
        workspace_id: workspaceId,
        site_id: siteId,
        data: JSON.stringify(data),
        created_at: at,
      }
      await trx.insertInto('events').values(event).execute()
      return event
    }

    return emit as Emit
  }
}
