/** Durations as a person types and reads them in a field: `90`, `30s`, `1m 30s`, `1:30`, `2 min`. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../storage/values/durations.ts'

const perUnit: Readonly<Record<string, number>> = { ms: 1, s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS }
/** Names of units in English, German, Spanish and French. The first pattern that matches counts. */
const units = { ms: /^(ms|millis)/i, h: /^(h|st)/i, s: /^s/i, m: /^m/i, d: /^(d|t|j)/i } as const
const part = /(\d+(?:[.,]\d+)?)\s*(\p{L}*)/gu

/** @returns milliseconds; a number without a unit is in seconds. Undefined if the text is not a duration */
export function durationIn(text: string): number | undefined {
  const clock = /^\s*(?:(\d+):)?(\d+):(\d{2})\s*$/.exec(text)
  if (clock) return ((Number(clock[1] ?? 0) * 60 + Number(clock[2])) * 60 + Number(clock[3])) * 1_000
  const parts = [...text.matchAll(part)]
  if (parts.length === 0 || text.replace(part, '').trim() !== '') return undefined
  let sum = 0
  for (const [, number = '', unit = ''] of parts) {
    const name = unit === '' ? 's' : Object.entries(units).find(([, pattern]) => pattern.test(unit))?.[0]
    if (name === undefined) return undefined
    sum += Number(number.replace(',', '.')) * (perUnit[name] ?? 0)
  }
  return Math.round(sum)
}

/** `1m 30s` of 90,000 ms: a text that `durationIn` reads again. */
export function durationText(ms: number): string {
  let left = Math.max(0, Math.round(ms))
  const texts = ['d', 'h', 'm', 's', 'ms'].flatMap(unit => {
    const length = perUnit[unit] ?? 1
    const count = Math.floor(left / length)
    left -= count * length
    return count > 0 ? [`${count}${unit}`] : []
  })
  return texts.join(' ') || '0s'
}
