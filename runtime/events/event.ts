/** A kind of event that the service emits: a row of the table of events. */
import type { Static, TSchema } from '@sinclair/typebox'
import type { Hook } from './hook.ts'

export interface EventKind<T extends TSchema = TSchema> {
  readonly type: string
  /** When it is emitted. */
  readonly summary: string
  readonly data: T
  /** Sent only to the webhook that requested it; webhooks cannot subscribe to it. */
  readonly direct?: true
}

/**
 * Declares a kind of event. Emit it in the transaction of the change, with `emit`.
 *
 * @example
 * import { Type } from '@sinclair/typebox'
 * import { matches } from '../values/matches.ts'
 *
 * const colour_changed = event({
 *   type: 'colour.changed',
 *   summary: 'A colour was changed.',
 *   data: Type.Object({ name: Type.String({ description: 'Name of the colour.' }) }),
 * })
 * assert.ok(matches(colour_changed.data, { name: 'red' }))
 */
export function event<T extends TSchema>(declared: EventKind<T>): EventKind<T> {
  return Object.freeze(declared)
}

/** Reports a change in its transaction: an event is written and sent to subscribers; a hook only calls other areas. */
export interface Emit {
  <T extends TSchema>(kind: EventKind<T>, about: { workspaceId: string; siteId: string | null; data: Static<T> }): Promise<void>
  <Subject>(hook: Hook<Subject>, subject: Subject): Promise<void>
}
