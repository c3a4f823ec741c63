/** Receives changes in the transaction that makes them: its writes are committed with the change or not at all. */
import type { Db } from '../../storage/store.ts'
import type { EventRow } from '../../storage/tables/index.ts'
import type { Config } from '../settings/config.ts'
import type { Emit, EventKind } from './event.ts'
import type { Hook } from './hook.ts'
import type { IdKind } from '../values/ids.ts'

/** Passed to subscribers with the event. */
export interface SubscriberContext {
  /** The transaction of the change; `wakeAfter(db, task)` starts a task once it is committed. */
  readonly db: Db
  readonly now: number
  readonly config: Config
  readonly emit: Emit
  newId(kind: IdKind): string
  random(size: number): Buffer
}

/** A stored event; `created_at` is now. */
export type WrittenEvent = Readonly<EventRow>

export interface Subscriber {
  /** The events and hooks it subscribes to; undefined: every event. */
  readonly of: readonly (EventKind | Hook<never>)[] | undefined
  hear(happened: never, context: SubscriberContext): Promise<void>
}

/** Subscribes to a hook. An error cancels the change: throw a `Failure` to explain. */
export function onHook<Subject>(of: Hook<Subject>, hear: (subject: Subject, context: SubscriberContext) => Promise<void>): Subscriber {
  return Object.freeze({ of: [of as Hook<never>], hear }) // a subscriber only receives what it named
}

export function onEvent(
  of: EventKind | readonly EventKind[],
  hear: (event: WrittenEvent, context: SubscriberContext) => Promise<void>,
): Subscriber {
  return Object.freeze({ of: 'type' in of ? [of] : of, hear })
}

export function onEveryEvent(hear: (event: WrittenEvent, context: SubscriberContext) => Promise<void>): Subscriber {
  return Object.freeze({ of: undefined, hear })
}
