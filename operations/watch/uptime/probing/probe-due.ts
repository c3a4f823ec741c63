/**
 * Probes due checks, many at once, and stores results in groups: one write for all results that came during the last
 * write. A slow target delays no other; the checks of a killed worker are probed when their lease ends.
 */
import { setMaxListeners } from 'node:events'
import { claimDue } from '../../../../runtime/tasks/lease.ts'
import type { Guard } from '../../../../runtime/outbound/outbound.ts'
import type { TaskContext } from '../../../../runtime/table/task.ts'
import { groupCommit } from '../../../../storage/hits/group-commit.ts'
import type { UptimeCheckRow } from '../../../../storage/tables/index.ts'
import { isUnconfirmed } from '../location.ts'
import { type CheckResult, type Claim, type Outcome, recordResults } from '../record-results.ts'
import { nextProbe } from '../schedule.ts'
import { probe, type ProbeOutcome } from './probe.ts'
import { userAgentOf } from './user-agent.ts'
import { uptime_probe_lateness_seconds, uptime_probes_total } from '../meters.ts'
import { PROBE_LOCATION } from '../settings.ts'

/** Probes under way at once in each worker. */
const atOnce = 1_000
/** The longest probe takes 30 s. */
const leaseMs = 45_000
/** Interval between queries for due checks while probes are under way, ms. */
const queryMs = 150
const groupOf = 200

export const queue = { table: 'uptime_checks', due: 'next_check_at' } as const

/** @returns when nothing is due or under way, or the worker shuts down */
export async function probeDue(context: TaskContext, guard: Guard): Promise<void> {
  const { store, config, metrics, log, signal, now } = context
  setMaxListeners(0, signal) // every probe under way listens
  const userAgent = userAgentOf(config.BASE_URL)
  const underWay = new Set<UptimeCheckRow>()
  let wake = () => {}
  const results = groupCommit<CheckResult, Outcome>(
    group =>
      store.transaction(trx =>
        recordResults(trx, {
          dialect: store.dialect,
          recording: {
            now: now(),
            emit: context.emitIn(trx, now()),
            newId: context.newId,
          },
          results: group,
        }),
      ),
    { lingerMs: 20, maxBatch: groupOf },
  )

  async function probeAndRecord(check: UptimeCheckRow): Promise<void> {
    const at = now()
    const due = check.next_check_at ?? at
    metrics.observe(uptime_probe_lateness_seconds, {}, Math.max(0, at - due))
    const target = { ...check, accepted_statuses: JSON.parse(check.accepted_statuses) }
    const sight = await probe(target, { ...guard, signal }, userAgent)
    if (signal.aborted) return
    metrics.add(uptime_probes_total, { kind: check.kind, outcome: sight.error ?? 'ok' })
    const claim = claimOf(check, { due, sight, now })
    await results
      .add([{ ...sight, checkNumber: check.number, location: config.of(PROBE_LOCATION), at, claim }])
      .catch((err: unknown) => log.error({ err }, 'a result could not be stored; its check is due again when its lease expires'))
    underWay.delete(check)
    if (underWay.size === 0) wake()
  }

  while (!signal.aborted) {
    const free = atOnce - underWay.size
    const due = free > 0 ? await claimDue(store, { ...queue, limit: free, leaseMs, now: now() }) : []
    for (const check of due) {
      underWay.add(check)
      void probeAndRecord(check)
    }
    if (underWay.size === 0) return
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, queryMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
  await results.close()
  await release(context, [...underWay])
}

function claimOf(
  { leased_until }: UptimeCheckRow,
  { due, sight: { certificate }, now }: { due: number; sight: ProbeOutcome; now: () => number },
): Claim {
  return {
    leasedUntil: leased_until,
    columns: (check, location) => ({
      next_check_at: nextProbe({ check, due, unconfirmed: location !== undefined && isUnconfirmed(location), now: now() }),
      leased_until: null,
      ...(certificate !== undefined && {
        ssl_expires_at: certificate?.expiresAt ?? null,
        ssl_issuer: certificate?.issuer ?? null,
      }),
    }),
  }
}

/** Releases the leases of checks that were not probed, so that another worker can take them at once. */
async function release({ store }: TaskContext, checks: readonly UptimeCheckRow[]): Promise<void> {
  for (const { id, leased_until } of checks) {
    await store.write
      .updateTable('uptime_checks')
      .set({ leased_until: null })
      .where('id', '=', id)
      .where('leased_until', '=', leased_until)
      .execute()
  }
}
