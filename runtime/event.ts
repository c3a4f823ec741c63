/** What happens in the service and others may want to hear of. A row of the table of events. */
import type { Static, TSchema } from '@sinclair/typebox'

export interface EventKind<T extends TSchema = TSchema> {
  readonly type: string
  /** When it is emitted. */
  readonly summary: string
  readonly data: T
}

export function event<T extends TSchema>(declared: EventKind<T>): EventKind<T> {
  return Object.freeze(declared)
}

/** Writes the event in the transaction of the change that caused it. */
export type Emit = <T extends TSchema>(kind: EventKind<T>, about: { workspaceId: string; siteId: string | null; data: Static<T> }) => Promise<void>
