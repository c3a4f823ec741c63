/** Hears of changes in the transaction that makes them: what it writes is there exactly when the change is. */
import type { Db } from '../storage/store.ts'
import type { EventRow } from '../storage/tables/index.ts'
import type { Config } from './config.ts'
import type { Emit, EventKind } from './event.ts'
import type { Hook } from './hook.ts'
import type { IdKind } from './ids.ts'

/** What a subscriber is handed beside what happened. */
export interface Hearing {
  /** The transaction of the change; `wakeAfter(db, task)` begins a task once it is committed. */
  readonly db: Db
  readonly now: number
  readonly config: Config
  readonly emit: Emit
  newId(kind: IdKind): string
  random(size: number): Buffer
}

/** An event as it was written; `created_at` is now. */
export type WrittenEvent = Readonly<EventRow>

export interface Subscriber {
  /** What it hears of: these events and hooks; undefined: every event. */
  readonly of: readonly (EventKind | Hook<never>)[] | undefined
  hear(happened: never, hearing: Hearing): Promise<void>
}

/** Hears of a hook. What it throws ends the change: a `Failure` says why it cannot be. */
export function onHook<Subject>(of: Hook<Subject>, hear: (subject: Subject, hearing: Hearing) => Promise<void>): Subscriber {
  return Object.freeze({ of: [of as Hook<never>], hear }) // a subscriber only ever hears of what it named
}

export function onEvent(of: EventKind | readonly EventKind[], hear: (event: WrittenEvent, hearing: Hearing) => Promise<void>): Subscriber {
  return Object.freeze({ of: 'type' in of ? [of] : of, hear })
}

export function onEveryEvent(hear: (event: WrittenEvent, hearing: Hearing) => Promise<void>): Subscriber {
  return Object.freeze({ of: undefined, hear })
}
