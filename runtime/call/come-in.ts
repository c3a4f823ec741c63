/**
 * Somebody who was made a member without being asked has come in: by the first call of their session in the workspace that
 * is authorised. It is noted before the call runs, once.
 */
import type { Call } from './call.ts'

export async function comeIn({ caller, place, core }: Call): Promise<void> {
  if (place.workspaceId !== undefined) await caller?.comesIn?.(core.store.write)
}
