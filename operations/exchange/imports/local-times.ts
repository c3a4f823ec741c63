/** Converts times as other services export them. */
import { Temporal } from 'temporal-polyfill'

/** `2026-03-01 12:00:00` and `2026-03-01T12:00:00.123`: local times. */
const WITHOUT_OFFSET = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3})\d*)?)?)?$/
const QUARTER = 15

/**
 * @param zone IANA name of the time zone of times without an offset
 * @returns converts such a time to epoch ms, and returns any other input unchanged or in ISO 8601
 */
export function localTimes(zone: string): (sent: unknown) => unknown {
  // Clocks change at quarters of an hour only, so one conversion serves a whole quarter.
  let known = { quarter: '', at: 0 }
  return sent => {
    if (typeof sent !== 'string') return sent
    const text = sent.trim()
    if (text[10] === 'T' && text.endsWith('Z')) return text
    const [match, date, hour = '00', minute = '00', second = '0', fraction = '0'] = WITHOUT_OFFSET.exec(text) ?? []
    if (!match) return inIso(text)
    const quarter = `${date}T${hour}:${String(Number(minute) - (Number(minute) % QUARTER)).padStart(2, '0')}`
    if (quarter !== known.quarter) {
      const at = startOf(quarter, zone)
      if (at === undefined) return text
      known = { quarter, at }
    }
    if (Number(minute) > 59 || Number(second) > 59) return text
    return known.at + (Number(minute) % QUARTER) * 60_000 + Number(second) * 1000 + Number(fraction.padEnd(3, '0'))
  }
}

/** Rewrites database output such as `2026-03-01 12:00:00+00` as ISO 8601. A bare date has a dash, not an offset. */
const inIso = (text: string): string =>
  text
    .replace(/^(\d{4}-\d\d-\d\d) (?=\d\d:\d\d)/, '$1T')
    .replace(/ UTC$/, 'Z')
    .replace(/(T.*[+-]\d\d)$/, '$1:00')

/** A time that the clock skipped moves forward. If the clock showed a time twice, the first is used (RFC 5545 §3.3.5). */
function startOf(local: string, zone: string): number | undefined {
  try {
    return Temporal.PlainDateTime.from(local, { overflow: 'reject' }).toZonedDateTime(zone).epochMilliseconds
  } catch {
    return undefined
  }
}
