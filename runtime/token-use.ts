/** Keeps `last_used_at` of tokens, once a minute each and beside the call. */
import type { Store } from '../storage/store.ts'
import type { Caller } from './caller.ts'
import type { Log } from './log.ts'

export function tokenUse(store: Store, log: Log): { note(caller: Caller, now: number): void; close(): Promise<void> } {
  const noted = new Map<string, number>()
  let writing: Promise<unknown> = Promise.resolve()
  return {
    note({ tokenId, lastUsedAt }, now) {
      if (now - Math.max(lastUsedAt ?? 0, noted.get(tokenId) ?? 0) < 60_000) return
      if (noted.size > 10_000) noted.clear()
      noted.set(tokenId, now)
      writing = writing.then(() => store.write.updateTable('api_tokens').set({ last_used_at: now }).where('id', '=', tokenId).execute())
        .catch((err: unknown) => log.warn({ err }, 'last_used_at could not be written'))
    },
    close: async () => { await writing },
  }
}
