/** What happens in the service and others may want to hear of. A row of the table of events. */
import type { Static, TSchema } from '@sinclair/typebox'
import type { Hook } from './hook.ts'

export interface EventKind<T extends TSchema = TSchema> {
  readonly type: string
  /** When it is emitted. */
  readonly summary: string
  readonly data: T
  /** Sent to one webhook that asked for it; no webhook can name it. */
  readonly direct?: true
}

export function event<T extends TSchema>(declared: EventKind<T>): EventKind<T> {
  return Object.freeze(declared)
}

/** Tells of a change in its transaction: of an event, which is written as well, or, by a hook, other areas alone. */
export interface Emit {
  <T extends TSchema>(kind: EventKind<T>, about: { workspaceId: string; siteId: string | null; data: Static<T> }): Promise<void>
  <Subject>(hook: Hook<Subject>, subject: Subject): Promise<void>
}
