/**
 * Dimensions that are derived from other data of visits when a report is answered: one row each. They need no column and no
 * step of the schema, and include past visits. They are scanned, while a stored dimension has sums.
 */
import type { VisitDimension } from '../../tables/index.ts'

/** A value that follows from the value of another dimension; '' for none. */
interface OfValue {
  readonly of: VisitDimension
  value(text: string): string
}

/** A value that follows from the day of a visit. */
interface OfDay {
  readonly of: 'day'
  /** All of its values. */
  readonly values: readonly string[]
  /** @param day days since 1970-01-01 in the site's calendar @returns a place in `values` */
  placeOf(day: number): number
}

/** Numbers of a visit. */
export type FigureName = 'visit_duration' | 'visit_pageviews' | 'bounce' | 'hour' | 'site' | 'new_person'

/** The dimension that says which visits were the first of their persons. It is known once all days have been read. */
export const NEW_PERSON = 'new_person'

/** A value that follows from a number of the visit. */
interface OfFigure {
  readonly of: 'figure'
  readonly figure: FigureName
  /** All of its values. `sites`: the sites that are asked about, which have stored sums. */
  readonly values: readonly string[] | 'sites'
  /** @returns a place in `values` */
  placeOf(number: number): number
}

export type Derived = OfValue | OfDay | OfFigure

/** Numbers of visits that only filters ask for, with the metric of the same name. */
export const filterOnly: ReadonlyMap<string, FigureName> = new Map([
  ['visit_duration', 'visit_duration'],
  ['visit_pageviews', 'visit_pageviews'],
])

interface DerivedDimension {
  readonly description: string
  readonly from: Derived
  readonly label?: (value: string) => string
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

export const derivedDimensions: Readonly<Record<string, DerivedDimension>> = Object.freeze({
  weekday: {
    description: 'Day of the week on which visits began: 1 (Monday) to 7 (Sunday)',
    from: {
      of: 'day',
      values: ['1', '2', '3', '4', '5', '6', '7'],
      placeOf: day => (((day + 3) % 7) + 7) % 7, // day 0 was a Thursday
    },
    label: value => weekdays[Number(value) - 1] ?? value,
  },
  hour: {
    description: 'Hour of the clock in which visits began, in the time zone of the site: 0 to 23',
    from: {
      of: 'figure',
      figure: 'hour',
      values: Array.from({ length: 24 }, (_, hour) => String(hour)),
      placeOf: hour => hour,
    },
    label: value => (/^\d+$/.test(value) ? `${value.padStart(2, '0')}:00` : value),
  },
  site: {
    description: 'Id of the site, in reports of a group of sites',
    from: { of: 'figure', figure: 'site', values: 'sites', placeOf: place => place },
  },
  bounce: {
    description: 'Whether visits bounced: `yes` or `no`',
    from: { of: 'figure', figure: 'bounce', values: ['no', 'yes'], placeOf: bounced => bounced },
    label: value => (value === 'yes' ? 'Yes' : 'No'),
  },
  [NEW_PERSON]: {
    description: 'Whether it was the first visit of its person: `yes` or `no`; no value for visits of unknown people',
    from: { of: 'figure', figure: NEW_PERSON, values: ['', 'no', 'yes'], placeOf: place => place },
    label: value => (value === 'yes' ? 'New' : 'Returning'),
  },
})
