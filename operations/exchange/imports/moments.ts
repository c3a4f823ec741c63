/** Times as files of other services have them. */
import { Temporal } from 'temporal-polyfill'

/** `2026-03-01 12:00:00` and `2026-03-01T12:00:00.123`: no offset says which clock. */
const WITHOUT_OFFSET = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3})\d*)?)?)?$/
const QUARTER = 15

/**
 * @param zone IANA name of the clock that times without an offset were read from
 * @returns what turns such a time into epoch ms, and leaves every other to whoever reads it next
 */
export function localMoments(zone: string): (sent: unknown) => unknown {
  // Clocks are set at quarters of an hour, so that one conversion serves all times of a quarter.
  let known = { quarter: '', at: 0 }
  return sent => {
    if (typeof sent !== 'string') return sent
    const text = sent.trim()
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

/** As databases print it, `2026-03-01 12:00:00+00`, in the words of ISO 8601. A date alone has a dash, not an offset. */
const inIso = (text: string): string =>
  text
    .replace(/^(\d{4}-\d\d-\d\d) (?=\d\d:\d\d)/, '$1T')
    .replace(/ UTC$/, 'Z')
    .replace(/(T.*[+-]\d\d)$/, '$1:00')

/** A time the clock skipped is moved on, one it showed twice is the first (RFC 5545 §3.3.5). */
function startOf(local: string, zone: string): number | undefined {
  try {
    return Temporal.PlainDateTime.from(local, { overflow: 'reject' }).toZonedDateTime(zone).epochMilliseconds
  } catch {
    return undefined
  }
}
