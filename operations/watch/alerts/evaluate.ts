/** One evaluation of one alert: measure without a lock, then store the result in one transaction. */
import { holds } from '../../../runtime/tasks/lease.ts'
import type { TaskContext } from '../../../runtime/table/task.ts'
import type { AlertRow } from '../../../storage/tables/index.ts'
import { watchesOther } from './condition.ts'
import { type Changing, open, remind, resolveOpen } from './incidents.ts'
import { m } from './messages.ts'
import { lockAlert } from './records.ts'
import type { Measured, MeasureContext } from './measures/measure-context.ts'
import { measures } from './measures/measures.ts'
import { type Finding, nextEvaluation, stateAfter } from './state.ts'

/** Retry after a failed measurement, ms. */
const RETRY_MS = 60_000

/**
 * @param claimed the row as this evaluation claimed it
 * @returns the finding; `failed` if it could not be measured
 */
export async function evaluate(claimed: AlertRow, measuring: MeasureContext, context: TaskContext): Promise<Finding | 'failed'> {
  const { store, config, log, now, newId, emitIn } = context
  try {
    const measured = await measures[claimed.kind](claimed, measuring)
    if (claimed.leased_until !== null && !holds(claimed, now(), 0)) return 'unknown' // the process was stopped: what it measured is old
    const finding = findingOf(measured)
    await store.transaction(db =>
      recordFinding({
        claimed,
        finding,
        measured,
        changing: {
          db,
          now: measuring.now,
          emit: emitIn(db, measuring.now),
          newId,
          baseUrl: config.BASE_URL,
        },
      }),
    )
    return finding
  } catch (err) {
    log.warn({ alert: claimed.id, err }, 'an alert could not be evaluated')
    await releaseAlert(claimed, now() + RETRY_MS, context)
    return 'failed'
  }
}

/** Releases an alert that was claimed but not evaluated, for any worker to take. */
export async function releaseAlert({ id, leased_until }: AlertRow, evaluateAt: number | null, { store }: TaskContext): Promise<void> {
  await store.write
    .updateTable('alerts')
    .set({ leased_until: null, evaluate_at: evaluateAt })
    .where('id', '=', id)
    .where('leased_until', '=', leased_until)
    .execute()
}

export const findingOf = (measured: Measured | null): Finding => (measured === null ? 'unknown' : measured.breached ? 'breach' : 'clear')

interface RecordFinding {
  readonly claimed: AlertRow
  readonly finding: Finding
  readonly measured: Measured | null
  readonly changing: Changing
}

async function recordFinding({ claimed, finding, measured, changing }: RecordFinding): Promise<void> {
  const { db, now } = changing
  const before = await lockAlert(db, claimed.id)
  // Deleted, changed or evaluated by another worker in the meantime: discard the measurement.
  if (!before || before.enabled === 0 || watchesOther(claimed, before)) return
  if (before.leased_until !== claimed.leased_until || (before.last_evaluated_at ?? 0) >= now) return

  const { state, streak, change } = stateAfter(before.kind, before, finding)
  // Rescheduled in the meantime: something has changed since the measurement, so that schedule stays.
  const scheduled = before.evaluate_at !== claimed.evaluate_at ? before.evaluate_at : null
  const after: AlertRow = {
    ...before,
    state,
    streak,
    last_evaluated_at: now,
    leased_until: null,
    evaluate_at: Math.min(nextEvaluation(before, now), scheduled ?? Infinity),
    last_triggered_at: change === 'opens' ? now : before.last_triggered_at,
  }
  await db.updateTable('alerts').set(after).where('id', '=', after.id).execute()
  if (change === 'opens' && measured)
    await open(changing, {
      alert: after,
      value: measured.value,
      message: m.happened({ measured: measured.reads, against: measured.against }),
    })
  else if (change === 'resolves') await resolveOpen(changing, { alert: after, siteId: after.site_id, resolution: 'recovered' })
  else if (state === 'triggered' && finding !== 'clear') await remind(changing, after)
}
