/** The inputs `from` and `to` of a list: calendar days, both included, in the list's time zone. */
import { failWith } from './errors.ts'
import { CalendarDay, optional } from './schema.ts'
import { dayOf, dayStart } from '../../storage/calendar/zones.ts'
import { fieldTerm } from '../texts/message.ts'
import { m } from './messages.ts'

/** @param what `Only notes` @param zone how the documentation calls the zone */
export const daysInput = (what: string, zone: string) => ({
  from: optional(CalendarDay({ description: `${what} from this day on, ${zone}.` })),
  to: optional(CalendarDay({ description: `${what} up to this day, which is included.` })),
})

/**
 * Converts the days to instants in epoch ms: `from` ≤ t < `to`; undefined if that side is open.
 * @throws Failure 422 if `to` lies before `from`
 */
export function instantsOf(days: { from?: string | undefined; to?: string | undefined }, zone: string) {
  const day = (date: string | undefined) => (date === undefined ? null : dayOf(date))
  const [from, to] = [day(days.from), day(days.to)]
  if (from !== null && to !== null && to < from) {
    const message = m.before({ to: fieldTerm('to'), from: fieldTerm('from'), first: days.from ?? '', last: days.to ?? '' })
    failWith([{ pointer: '/to', code: 'too_small', message }])
  }
  return {
    from: from === null ? undefined : dayStart(zone, from),
    to: to === null ? undefined : dayStart(zone, to + 1),
  }
}
