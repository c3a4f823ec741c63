/** Waits for locks that pass only as a test lets them, so that no assertion depends on how busy the machine is. */
import { setImmediate as turn } from 'node:timers/promises'
import type { Pause } from '../../storage/dialects/sqlite-driver.ts'

export interface LockWaits {
  readonly pause: Pause
  /** Lets as many ms of waiting pass. Resolves once a connection has waited for them. */
  pass(ms: number): Promise<void>
  /** Holds no more wait. */
  end(): void
}

export function lockWaits(): LockWaits {
  let [passed, limit] = [0, 0]
  return {
    async pause(ms) {
      do await turn()
      while (passed >= limit)
      passed += ms
      return ms
    },
    async pass(ms) {
      limit = passed + ms
      while (passed < limit) await turn()
    },
    end() {
      limit = Infinity
    },
  }
}

/** Patience that is longer than any test. */
export const NO_LIMIT_MS = 3_600_000
