/** When an alert would have been triggered in the past: the measures and the states of real alerts, evaluated at past times. */
import { setImmediate as turn } from 'node:timers/promises'
import type { Message } from '../../../../runtime/texts/message.ts'
import type { AlertRow } from '../../../../storage/tables/index.ts'
import { findingOf } from '../evaluate.ts'
import type { Measured, MeasureContext } from '../measures/measure-context.ts'
import { measures } from '../measures/measures.ts'
import { m } from '../messages.ts'
import { intervalOf, stateAfter } from '../state.ts'
import { HOUR_MS, MINUTE_MS } from '../../../../storage/values/durations.ts'

/** Evaluations under way at once; the engine answers them together. */
const TOGETHER = 500

/**
 * Ms between two evaluations of a preview. Windows leave no gap, as long as they are not shorter than the shortest one; a real
 * alert is evaluated more often.
 */
export function stepOf(alert: Pick<AlertRow, 'kind' | 'window_minutes'>): number {
  const min = alert.kind === 'anomaly' ? HOUR_MS : 5 * MINUTE_MS
  return Math.max(intervalOf(alert), (alert.window_minutes * MINUTE_MS) / 24, min)
}

export interface Fired {
  readonly triggeredAt: number
  /** Null if it would still be triggered. */
  readonly resolvedAt: number | null
  readonly value: number
  readonly message: Message
}

/** Evaluates from `since` to `now` of the context, whose engine should answer questions together. */
export async function simulate(
  alert: AlertRow,
  measuring: MeasureContext & { readonly since: number },
): Promise<{ fired: Fired[]; evaluations: number }> {
  const step = stepOf(alert)
  const times: number[] = []
  for (let at = measuring.now; at > measuring.since; at -= step) times.unshift(at)
  const found: (Measured | null)[] = []
  for (let first = 0; first < times.length; first += TOGETHER) {
    const some = times.slice(first, first + TOGETHER)
    found.push(...(await Promise.all(some.map(at => measures[alert.kind](alert, { ...measuring, now: at })))))
    await turn()
  }
  return { fired: firedOf(alert, { step, times, found }), evaluations: found.filter(one => one !== null).length }
}

interface Evaluated {
  readonly step: number
  readonly times: readonly number[]
  readonly found: readonly (Measured | null)[]
}

/** A value lasts until the next one was measured: meanwhile a real alert would have been evaluated several times. */
function firedOf(alert: AlertRow, { step, times, found }: Evaluated): Fired[] {
  const fired: Fired[] = []
  const interval = intervalOf(alert)
  const repeats = Math.max(1, Math.round(step / interval))
  let state: Pick<AlertRow, 'state' | 'streak'> = { state: 'ok', streak: 0 }
  for (const [i, measured] of found.entries()) {
    for (let again = 0; again < repeats; again++) {
      const at = Math.min((times[i] ?? 0) + again * interval, times.at(-1) ?? 0)
      const after = stateAfter(alert.kind, state, findingOf(measured))
      state = after
      const last = fired.at(-1)
      if (after.change === 'opens' && measured) {
        const message = m.happened({ measured: measured.reads, against: measured.against })
        fired.push({ triggeredAt: at, resolvedAt: null, value: measured.value, message })
      } else if (after.change === 'resolves' && last) fired[fired.length - 1] = { ...last, resolvedAt: at }
    }
  }
  return fired
}
