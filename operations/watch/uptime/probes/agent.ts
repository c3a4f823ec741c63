/**
 * A remote probe: fetches its checks from a server, probes at the times the server would, and submits the results. It
 * keeps results that it cannot submit as long as the server would accept them. It needs no database and stores nothing
 * across restarts.
 */
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Static } from '@sinclair/typebox'
import type { Log } from '../../../../runtime/observability/log.ts'
import type { Guard } from '../../../../runtime/outbound/outbound.ts'
import { isUnconfirmed, type Location, withResult } from '../location.ts'
import { probe } from '../probing/probe.ts'
import { nextProbe } from '../schedule.ts'
import type { ProbeCheck } from './records.ts'
import { type AgentServer, Refused, type Submitted, Unreadable } from './agent-server.ts'

type Check = Static<typeof ProbeCheck>
interface Followed {
  readonly check: Check
  /** The check as JSON, to detect changes. */
  readonly text: string
  nextAt: number
  state: Location | undefined
  underWay: boolean
}

const atOnce = 500
const everyMs = { begin: 100, pull: 30_000, submit: 2_000 }
const groupOf = 500
/** The server accepts results of the last 10 minutes. */
const keptMs = 9 * 60_000

export interface Agent {
  readonly server: AgentServer
  readonly location: string
  readonly guard: Guard
  readonly log: Log
  /** Stops the agent, which first submits its results. */
  readonly signal: AbortSignal
  now(): number
}

/** Runs until it is stopped. @throws Refused if the token or the location is not accepted */
export async function runAgent({ server, location, guard, log, signal, now }: Agent): Promise<void> {
  setMaxListeners(0, signal) // every probe under way listens
  let followed = new Map<string, Followed>()
  let waiting: Submitted[] = []
  let underWay = 0
  let userAgent = ''
  let pullAt = 0

  async function pull(): Promise<void> {
    pullAt = now() + everyMs.pull
    const list = await server.checks()
    if (!list) return
    if (list.location !== location) {
      throw new Refused(`this token belongs to the location ${list.location}, not to ${location}`)
    }
    userAgent = list.user_agent
    followed = new Map(
      list.checks.map(check => {
        const text = JSON.stringify(check)
        const known = followed.get(check.id)
        return [check.id, known?.text === text ? known : { check, text, nextAt: now(), state: undefined, underWay: false }]
      }),
    )
    log.info({ checks: followed.size }, 'checks pulled')
  }

  async function begin(each: Followed): Promise<void> {
    const { check } = each
    const [at, due] = [now(), each.nextAt]
    const sight = await probe(check, { ...guard, signal }, userAgent)
    if (signal.aborted) return
    each.state = withResult(each.state, { ...sight, at, location })
    each.nextAt = nextProbe({ check, due, unconfirmed: isUnconfirmed(each.state), now: now() })
    waiting.push({
      check_id: check.id,
      location,
      ok: sight.ok,
      status_code: sight.status,
      response_ms: sight.ms,
      error: sight.error,
      checked_at: new Date(at).toISOString(),
    })
  }

  function beginDue(): void {
    for (const each of followed.values()) {
      if (underWay >= atOnce) return
      if (each.underWay || each.nextAt > now()) continue
      each.underWay = true
      underWay++
      void begin(each).finally(() => {
        each.underWay = false
        underWay--
      })
    }
  }

  async function submit(): Promise<void> {
    waiting = waiting.filter(({ checked_at }) => now() - Date.parse(checked_at) < keptMs)
    while (waiting.length > 0) {
      const group = waiting.slice(0, groupOf)
      const { rejected } = await server.submit(group).catch((err: unknown) => {
        if (!(err instanceof Unreadable)) throw err
        log.error({ err, results: group.length }, 'results are lost; check that the server runs the same version')
        return { rejected: [] } // dropped: they would block all later results
      })
      waiting = waiting.slice(group.length)
      if (rejected.some(({ code }) => code === 'too_old' || code === 'in_future')) {
        log.warn('results were refused for their time; check the clock of this machine')
      }
      if (rejected.some(({ code }) => code !== 'duplicate')) pullAt = 0
    }
  }

  async function withRetries(what: string, run: () => Promise<void>): Promise<void> {
    try {
      await run()
    } catch (err) {
      if (err instanceof Refused) throw err
      log.warn({ err }, `${what}: could not reach the server; trying again`)
    }
  }

  const beginTimer = setInterval(beginDue, everyMs.begin)
  try {
    while (!signal.aborted) {
      if (now() >= pullAt) await withRetries('pull', pull)
      await withRetries('submit', submit)
      await sleep(everyMs.submit, undefined, { signal }).catch(() => {})
    }
  } finally {
    clearInterval(beginTimer)
  }
  await withRetries('submit', submit)
}
