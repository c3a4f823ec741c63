/** Times in the API's format. A list has dozens of them, mostly of the same day: that is made once, the rest is arithmetic. */
import { DAY_MS } from '../../storage/values/durations.ts'

/** The last time that a Date can hold. */
const furthest = 100_000_000 * DAY_MS
/** Characters of `12:34:56.789Z`. */
const timeLength = 13
let day = Number.NaN
let dayText = ''

/**
 * As `Date.prototype.toISOString`, in a fifth of the time.
 * @param at epoch milliseconds
 * @throws RangeError for what is not a time
 */
export function isoOf(at: number): string {
  if (!Number.isInteger(at) || Math.abs(at) >= furthest) return new Date(at).toISOString()
  const itsDay = Math.floor(at / DAY_MS)
  if (itsDay !== day) {
    dayText = new Date(itsDay * DAY_MS).toISOString().slice(0, -timeLength)
    day = itsDay
  }
  const inDay = at - itsDay * DAY_MS
  const seconds = Math.floor(inDay / 1_000)
  const minutes = Math.floor(seconds / 60)
  const ms = inDay % 1_000
  return `${dayText}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds % 60)}.${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z`
}

const two = (value: number): string => (value < 10 ? `0${value}` : `${value}`)
