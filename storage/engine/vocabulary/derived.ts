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

export type Derived = OfValue | OfDay

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
})
