/**
 * Somebody who was made a member without being asked has come in: by the first call of their session in the workspace that
 * is authorised. It is noted before the call runs, once.
 */
import type { Awaitable } from '../../storage/values/awaitable.ts'
import type { Call } from './call.ts'

export function comeIn({ caller, place, core }: Call): Awaitable<void> {
  return place.workspaceId === undefined ? undefined : caller?.comesIn?.(core.store.write)
}
