/**
 * Records that a person uses a workspace that another member added them to: with the first authorised call of their
 * session there, once, and before that call runs.
 */
import type { Awaitable } from '../../storage/values/awaitable.ts'
import type { Call } from './call.ts'

export function recordFirstVisit({ caller, place, core }: Call): Awaitable<void> {
  return place.workspaceId === undefined ? undefined : caller?.recordFirstVisit?.(core.store.write)
}
