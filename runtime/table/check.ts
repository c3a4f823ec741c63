/** Checks of the things that an area needs besides the database, such as a folder. The start and `/readyz` run them. */
import { setTimeout } from 'node:timers/promises'
import type { HandlerServices } from './services.ts'

export interface Check {
  /** The thing that is checked, as a noun phrase for a sentence. */
  readonly what: string
  /** At the start, before the service listens. @throws Error with a sentence for the operator, which stops the start */
  start(app: HandlerServices): Promise<void>
  /**
   * At a start while the database is away: makes the process useful without it.
   * @returns id of the installation that it knows from an earlier start, whose database has to come back; undefined if it knows none
   */
  startWithoutDatabase?(app: HandlerServices): Promise<string | undefined>
  /** Undefined if everything works. */
  now(app: HandlerServices): Promise<CheckFault | undefined>
  /** Whether this process still has a use while the database is away, so that requests should go to it. */
  outlastsDatabase?(app: HandlerServices): boolean
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

/** The time that the caller of `/readyz` waits for a check, ms. Until `MAX_AGE_MS`, the check's last answer counts instead. */
const PATIENCE_MS = 2_000
/** A check that takes longer than this has failed, ms: a network file system may never answer. A busy disk only takes its time. */
const MAX_AGE_MS = 15_000

/** A check that runs. */
interface Running {
  readonly since: number
  readonly answer: Promise<CheckFault | undefined>
}

/**
 * @param clock the time, and the time to wait for an answer, in ms
 * @returns a function that runs all checks, each at most once at a time, and returns the faults; the ones that make a process
 *   unready come first
 */
export function checksOf(
  app: HandlerServices,
  checks: readonly Check[],
  clock = { now: () => performance.now(), patienceMs: PATIENCE_MS },
): () => Promise<readonly CheckFault[]> {
  const running = new Map<Check, Running>()
  const last = new Map<Check, CheckFault | undefined>() // at first nothing is wrong: the start has checked it

  async function answerOf(each: Check): Promise<CheckFault | undefined> {
    const fault = await each.now(app).catch((err: unknown): CheckFault => {
      app.log.error({ err }, `${each.what} cannot be checked`)
      return { reason: `${each.what} cannot be checked`, isUnready: false }
    })
    last.set(each, fault)
    running.delete(each)
    return fault
  }
  async function faultOf(each: Check): Promise<CheckFault | undefined> {
    const { since, answer } = running.get(each) ?? { since: clock.now(), answer: answerOf(each) }
    running.set(each, { since, answer })
    const isLate = await within(clock.patienceMs, answer)
    if (!isLate) return answer
    return clock.now() - since < MAX_AGE_MS ? last.get(each) : { reason: `${each.what} does not answer`, isUnready: true }
  }
  return async () => {
    const faults = await Promise.all(checks.map(faultOf))
    return faults.flatMap(fault => fault ?? []).sort((a, b) => Number(b.isUnready) - Number(a.isUnready))
  }
}

/** @returns whether the time was over first */
async function within(ms: number, answer: Promise<unknown>): Promise<boolean> {
  const answered = new AbortController()
  const timer = setTimeout(ms, true, { signal: answered.signal })
  timer.catch(() => {}) // aborted
  return Promise.race([answer.then(() => false), timer]).finally(() => answered.abort())
}
