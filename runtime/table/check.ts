/** Checks of the things that an area needs besides the database, such as a folder. The start and `/readyz` run them. */
import { setTimeout } from 'node:timers/promises'
import type { HandlerServices } from './services.ts'

export interface Check {
  /** The thing that is checked, as a noun phrase for a sentence. */
  readonly what: string
  /** At the start, before the service listens. @throws Error with a sentence for the operator, which stops the start */
  start(app: HandlerServices): Promise<void>
  /** Undefined if everything works. */
  now(app: HandlerServices): Promise<CheckFault | undefined>
}

export interface CheckFault {
  /** For the operator: shown by `/readyz`. */
  readonly reason: string
  /** Whether requests should go to another process until it is over. */
  readonly isUnready: boolean
}

export function check(declared: Check): Check {
  return Object.freeze(declared)
}

/** A check that takes longer than this has failed, ms: a network file system may never answer. */
const PATIENCE = 2_000

/**
 * @returns a function that runs all checks, at most once at a time, and returns the faults; the ones that make a process
 *   unready come first
 */
export function checksOf(app: HandlerServices, checks: readonly Check[]): () => Promise<readonly CheckFault[]> {
  const open = new Map<Check, Promise<CheckFault | undefined>>()
  const result = (each: Check) => {
    const asked =
      open.get(each) ??
      each
        .now(app)
        .catch((err: unknown): CheckFault => {
          app.log.error({ err }, `${each.what} cannot be checked`)
          return { reason: `${each.what} cannot be checked`, isUnready: false }
        })
        .finally(() => open.delete(each))
    open.set(each, asked)
    return within(asked, { reason: `${each.what} does not answer`, isUnready: true })
  }
  return async () => {
    const faults = await Promise.all(checks.map(result))
    return faults.flatMap(fault => fault ?? []).sort((a, b) => Number(b.isUnready) - Number(a.isUnready))
  }
}

async function within<T>(asked: Promise<T>, late: T): Promise<T> {
  const answered = new AbortController()
  const timer = setTimeout(PATIENCE, late, { signal: answered.signal })
  timer.catch(() => {}) // aborted
  return Promise.race([asked, timer]).finally(() => answered.abort())
}
