/** The demo's amount of traffic: growth over two years, seasons, weekdays, hours, and single incidents. */
import type { Chance } from './chance.ts'
import { DAY_MS } from '../../storage/values/durations.ts'

export const DAYS = 730

/** Monday to Sunday. */
const week = [1, 0.96, 0.94, 0.97, 0.9, 1.12, 1.28]
/** January to December, with a peak in spring. */
const months = [0.72, 0.86, 1.18, 1.42, 1.38, 1.12, 0.94, 0.88, 1, 0.98, 0.86, 0.7]
/** Hours of the day, in the visitor's time. */
const hours = [4, 2, 1, 1, 1, 2, 6, 14, 22, 27, 29, 28, 30, 27, 26, 27, 28, 30, 34, 40, 44, 40, 26, 12]

/** Incidents by days ago, which the demo's notes mention. */
export const happenings = [
  { daysAgo: 560, until: 560, factor: 1, note: 'New shop: faster pages, one-step checkout' },
  { daysAgo: 365, until: 355, factor: 1.9, note: 'Black Friday' },
  { daysAgo: 96, until: 94, factor: 3.4, note: '“How to sharpen a spade” on the front page of Hacker News' },
  { daysAgo: 41, until: 41, factor: 0.25, note: 'Hosting outage from 6 to 22 o’clock' },
  { daysAgo: 12, until: 0, factor: 1.15, note: 'Autumn sale begins' },
] as const

/** The traffic of a day relative to others. @param day local day number */
export function weightOf(day: number, daysAgo: number, { next }: Chance): number {
  const growth = 1 + 1.6 * (1 - daysAgo / DAYS)
  const month = new Date(day * DAY_MS).getUTCMonth()
  const events = happenings.filter(each => daysAgo <= each.daysAgo && daysAgo >= each.until)
  const happened = events.reduce((all, { factor }) => all * factor, 1)
  return growth * (week[(day + 3) % 7] ?? 1) * (months[month] ?? 1) * (0.92 + 0.16 * next()) * happened
}

const ofDay = hours.map((_, i) => hours.slice(0, i + 1).reduce((sum, hour) => sum + hour, 0))

/** A random time of the day, ms from its beginning. @param offset hours from the visitor's clock to the site's */
export function timeOfDay(chance: Chance, offset: number): number {
  const at = chance.next() * (ofDay.at(-1) ?? 1)
  const hour = (ofDay.findIndex(sum => at < sum) - offset + 24) % 24
  return Math.floor((hour + chance.next()) * (DAY_MS / 24))
}
