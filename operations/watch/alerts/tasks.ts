import { setImmediate as turn } from 'node:timers/promises'
import { claimDue } from '../../../runtime/tasks/lease.ts'
import { task } from '../../../runtime/table/task.ts'
import { engine } from '../../reports/stats/index.ts'
import type { Kind } from './condition.ts'
import { evaluate, releaseAlert } from './evaluate.ts'
import { measureContext } from './measures/measure-context.ts'
import { alert_evaluations_total } from './meters.ts'
import { MINUTE_MS } from '../../../storage/values/durations.ts'

const queue = { table: 'alerts', due: 'evaluate_at' } as const
/** Alerts claimed at once; they share query results. */
const TOGETHER = 500
const LANES = 8
/** Longer than the evaluation takes: the engine abandons a report after a minute. */
const LEASE_MS = 5 * MINUTE_MS

export const alerts_evaluate = task({
  name: 'alerts_evaluate',
  summary: 'Evaluates the alerts that are due',
  every: 10_000,
  lease: MINUTE_MS,
  shared: true,
  queue,
  async run(context) {
    const { store, config, metrics, signal, use } = context
    const now = context.now()
    const due = await claimDue(store, { ...queue, limit: TOGETHER, leaseMs: LEASE_MS, now })
    if (due.length === 0) return
    const measuring = measureContext(now, { db: store.read, engine: use(engine), config })
    const left = due.values()
    const lane = async () => {
      for (const alert of left) {
        await turn() // SQLite answers synchronously; without this, hits would wait for all of them
        if (signal.aborted) await releaseAlert(alert, alert.evaluate_at, context)
        else count(alert.kind, await evaluate(alert, measuring, context))
      }
    }
    const count = (kind: Kind, found: keyof typeof outcomes) => metrics.add(alert_evaluations_total, { kind, outcome: outcomes[found] })
    await Promise.all(Array.from({ length: LANES }, lane))
    return { more: due.length === TOGETHER }
  },
})

const outcomes = { breach: 'breach', clear: 'ok', unknown: 'unknown', failed: 'failed' } as const
