/** Reads measurements of a script in the page. Leaves out invalid numbers instead of guessing. */
import { isObject } from '../../../../runtime/values/json.ts'
import type { VitalName as Vital } from '../../../../storage/values/web-vitals.ts'
import { DAY_MS, MINUTE_MS } from '../../../../storage/values/durations.ts'
import { LIMITS, type SentHit } from '../hit.ts'
import type { JsonObject } from './json-object.ts'
import { text } from './text.ts'

/** The maximum of each vital: a minute, and for cls a score that no page reaches. */
const VITALS: ReadonlyArray<readonly [Vital, number]> = [
  ['lcp', MINUTE_MS],
  ['inp', MINUTE_MS],
  ['cls', 100],
  ['fcp', MINUTE_MS],
  ['ttfb', MINUTE_MS],
]

/** A number from 0 to `max`, null otherwise. */
export function measureOf(sent: unknown, max: number): number | null {
  return typeof sent === 'number' && sent >= 0 && sent <= max ? sent : null
}

/** Percent of the page seen. If a page shrank while it was read, the value can exceed 100, and counts as 100. */
export function scrollOf(sent: unknown): number | null {
  const scroll = measureOf(sent, Number.MAX_SAFE_INTEGER)
  return scroll === null ? null : Math.min(100, Math.round(scroll))
}

/** Milliseconds of engaged time, at most a day. */
export function engagedOf(sent: unknown): number | null {
  const engaged = measureOf(sent, DAY_MS)
  return engaged === null ? null : Math.round(engaged)
}

export function widthOf(sent: unknown): number | null {
  return measureOf(sent, 100_000)
}

export function screenOf(sent: unknown): string {
  const screen = text(sent, 20)
  return /^[1-9]\d{1,4}x[1-9]\d{1,4}$/.test(screen) ? screen : ''
}

export function vitalsOf(sent: JsonObject): SentHit['vitals'] {
  const vitals: Partial<Record<Vital, number>> = {}
  for (const [vital, max] of VITALS) {
    const measure = measureOf(sent[vital], max)
    if (measure !== null) vitals[vital] = measure
  }
  return vitals
}

export function clicksOf(sent: unknown): SentHit['clicks'] {
  if (!Array.isArray(sent)) return []
  return sent.slice(0, LIMITS.clicks).flatMap((click: unknown) => {
    if (!isObject(click)) return []
    const selector = text(click.s, LIMITS.selector)
    const x = measureOf(click.x, 10_000)
    const y = measureOf(click.y, 1_000_000)
    return selector === '' || x === null || y === null ? [] : [{ selector, x: Math.round(x), y: Math.round(y) }]
  })
}
