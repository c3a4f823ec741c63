/** Checks the dates of a custom range: both are required, exist, are within bounds, in order, and at most 100 years apart. */
import { dateOf, dayOf, localDay } from '../../../../storage/calendar/zones.ts'
import { DAY_MS } from '../../../../storage/values/durations.ts'
import { faultsOf, refused, resolved, type Fault, type Resolved } from './faults.ts'
import type { Days, SiteClock } from './range.ts'
import { dayTerm, fieldTerm, type Message } from '../../../../runtime/texts/message.ts'
import { m } from '../messages.ts'

const FIELDS = Object.freeze({
  period: ['from', 'to'],
  compare: ['compare_from', 'compare_to'],
} as const)

type Owner = keyof typeof FIELDS
type DateField = (typeof FIELDS)[Owner][number]
type CustomDates = { readonly [field in DateField]?: string | undefined }

const EARLIEST = 0
const LATEST = Date.UTC(2999, 11, 31) / DAY_MS
const CENTURY = 36_525

const shown = (value: string): string => JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)

/** The site's time zone and the current time, to refuse days in the future, which have no data. */
type Clock = Pick<SiteClock, 'zone' | 'now'>

interface ReadDay {
  readonly owner: Owner
  readonly field: DateField
  readonly value: string | undefined
  readonly clock: Clock | null
}

const readDay = ({ owner, field, value, clock }: ReadDay): Resolved<number> => {
  const fault = (code: Fault['code'], message: Message) => refused({ field, code, message })
  const term = fieldTerm(field)
  if (value === undefined) return fault('required', m.date_required({ field: term, owner: fieldTerm(owner) }))
  const day = dayOf(value)
  if (day === null) return fault('invalid_format', m.no_date({ field: term, received: shown(value) }))
  if (day < EARLIEST) return fault('too_small', m.date_too_early({ field: term, earliest: dayTerm(dateOf(EARLIEST)), received: value }))
  if (day > LATEST) return fault('too_large', m.date_too_late({ field: term, latest: dayTerm(dateOf(LATEST)), received: value }))
  const today = clock && localDay(clock.zone, clock.now).day
  if (clock && today !== null && day > today) {
    return fault('too_large', m.date_in_future({ field: term, today: dayTerm(dateOf(today)), zone: clock.zone, received: value }))
  }
  return resolved(day)
}

/** Returns the days of `period=custom` or `compare=custom`. @param clock null if the site is unknown */
export const customDays = (owner: Owner, asked: CustomDates, clock: Clock | null): Resolved<Days> => {
  const [first, last] = FIELDS[owner]
  const [from, to] = [
    readDay({ owner, field: first, value: asked[first], clock }),
    readDay({ owner, field: last, value: asked[last], clock }),
  ]
  if (!from.ok) return to.ok ? from : refused(...from.faults, ...to.faults)
  if (!to.ok) return to

  const [fromDay, toDay] = [from.value, to.value]
  const params = { first: fieldTerm(first), last: fieldTerm(last), from: dateOf(fromDay), to: dateOf(toDay) }
  if (toDay < fromDay) return refused({ field: last, code: 'too_small', message: m.dates_reversed(params) })
  if (toDay - fromDay >= CENTURY) return refused({ field: last, code: 'too_large', message: m.dates_too_far_apart(params) })
  return resolved({ fromDay, toDay })
}

/** Whether an input has dates of a custom range. */
export const hasDates = (owner: Owner, given: Readonly<Record<string, unknown>>): boolean =>
  FIELDS[owner].some(field => given[field] !== undefined)

/** Returns faults for dates that would be ignored, instead of figures of an unintended range. */
export const strayDates = (owner: Owner, choice: string, asked: CustomDates): Fault[] =>
  FIELDS[owner]
    .filter(field => asked[field] !== undefined)
    .map(field => ({
      field,
      code: 'mismatch',
      message: m.date_not_read({ field: fieldTerm(field), owner: fieldTerm(owner), choice }),
    }))

/** Returns faults of the dates for a choice of `period` or `compare`, whether or not there are other faults. */
export const dateFaults = (owner: Owner, choice: string, fields: Readonly<Record<string, unknown>>): readonly Fault[] => {
  const texts = FIELDS[owner].flatMap(field => {
    const value = fields[field]
    return typeof value === 'string' ? [[field, value] as const] : []
  })
  const asked: CustomDates = Object.fromEntries(texts)
  return choice === 'custom' ? faultsOf(customDays(owner, asked, null)) : strayDates(owner, choice, asked)
}
