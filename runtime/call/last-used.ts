/** Records when credentials were last used: at most once a minute for each, without delaying the call. */
import { LRUCache } from 'lru-cache'
import type { Store } from '../../storage/store.ts'
import type { Authenticator } from '../table/authenticator.ts'
import type { Caller } from '../table/caller.ts'
import type { Config } from '../settings/config.ts'
import type { Log } from '../observability/log.ts'
import { MINUTE_MS } from '../../storage/values/durations.ts'

/** Credentials whose last record is kept in memory; the rows of other credentials have theirs. */
const MAX_KNOWN = 10_000

export interface UseNotes {
  note(authenticator: Authenticator, caller: Caller, now: number): void
  /** Resolves once all records are written. */
  close(): Promise<void>
}

export function useNotes(store: Store, config: Config, log: Log): UseNotes {
  const noted = new LRUCache<string, number>({ max: MAX_KNOWN })
  let writing: Promise<unknown> = Promise.resolve()
  return {
    note({ noteUse }, { credentialId, lastUsedAt }, now) {
      if (!noteUse || now - Math.max(lastUsedAt ?? 0, noted.get(credentialId) ?? 0) < MINUTE_MS) return
      noted.set(credentialId, now)
      writing = writing
        .then(() => noteUse(store, credentialId, { now, config }))
        .catch((err: unknown) => log.warn({ err }, 'last_used_at could not be written'))
    },
    close: async () => {
      await writing
    },
  }
}
