/** Parameters that reports share. */
import { Type } from '@sinclair/typebox'
import { limitedBy } from '../../../runtime/table/report-limits.ts'
import { brief, CalendarDay, defaultBy, meantBy, OneOf, OneOfOrLike, optional } from '../../../runtime/table/schema.ts'
import { checkedBy } from '../../../runtime/table/validate.ts'
import { Filters } from '../../sites/segments/index.ts'
import { periodSynonym } from './synonyms.ts'
import { COMPARISONS } from './time/comparison.ts'
import { dateFaults, hasDates } from './time/custom.ts'
import { inInput } from './time/faults.ts'
import { INTERVALS } from './time/interval.ts'
import { CALENDAR_PERIOD, CALENDAR_PERIODS, PERIODS } from './time/period.ts'
import { beyondDays, ownSegmentOnly } from './limited.ts'

/** `period` to `include_imported`: parameters of every report. */
export const statsInput = {
  period: OneOfOrLike(
    PERIODS,
    { form: CALENDAR_PERIOD, examples: CALENDAR_PERIODS },
    {
      default: '30d',
      description:
        'Days in the time zone of the site, today included as far as it has come; also a calendar year, month, ISO week or quarter \
(`2026`, `2026-10`, `2026-W47`, `2026-Q4`). `custom` goes with from and to, which must not be in \
the future, and is the default with them.',
      // Values by example: an enumeration forbids calendar periods, and costs four times as much in each report.
      [brief]: { description: 'today, 24h, 7d, mtd, last_month, 12mo, all, 2026-10.', enum: undefined },
      [meantBy]: periodSynonym,
      [defaultBy]: given => (hasDates('period', given) ? 'custom' : undefined),
      [limitedBy]: beyondDays,
      [checkedBy]: (period, _, beside) => inInput(dateFaults('period', String(period), beside)),
    },
  ),
  from: optional(
    CalendarDay({ description: 'First day of a custom period.', [brief]: { description: 'First day, 2026-10-31.', format: undefined } }),
  ),
  to: optional(
    CalendarDay({ description: 'Last day of a custom period, inclusive.', [brief]: { description: 'Last day.', format: undefined } }),
  ),
  compare: OneOf(COMPARISONS, {
    default: 'none',
    description:
      'What to compare with: calendar months, quarters and years with those before, other periods with as many days before, in each \
case the same part of what is not over; `custom` goes with compare_from and compare_to, and is the default with them. meta.comparison says which days they were.',
    [brief]: { description: 'Earlier days.', enum: COMPARISONS.filter(name => name !== 'custom') }, // the default with days
    [defaultBy]: given => (hasDates('compare', given) ? 'custom' : undefined),
    [checkedBy]: (compare, _, beside) => inInput(dateFaults('compare', String(compare), beside)),
  }),
  compare_from: optional(
    CalendarDay({ description: 'First day of a custom comparison.', [brief]: { description: 'As from.', format: undefined } }),
  ),
  compare_to: optional(
    CalendarDay({ description: 'Last day of a custom comparison, inclusive.', [brief]: { description: 'As to.', format: undefined } }),
  ),
  match_weekday: Type.Boolean({
    default: false,
    description: 'Moves the comparison to the nearest days before the period that begin on the same weekday.',
    [brief]: { description: 'Align weekdays.' },
  }),
  filters: Filters,
  segment_id: optional(
    Type.String({
      maxLength: 64,
      description: 'Saved segment whose conditions also apply.',
      [brief]: { description: 'Id or name.' },
      [limitedBy]: ownSegmentOnly,
    }),
  ),
  include_imported: Type.Boolean({
    default: false,
    description: 'Adds imported history for the days before the first hit. Has no effect with filters or a segment.',
    [brief]: { description: 'Imports too.' },
  }),
}

/** @param of what an answer without series leaves out, as a field of it */
export const seriesInput = (of = 'series') =>
  Type.Boolean({
    default: true,
    description: `With \`false\`, the answer omits \`${of}\` and is shorter.`,
    [brief]: { description: 'false: short.', default: undefined },
  })

export const intervalInput = OneOf(['auto', ...INTERVALS] as const, {
  default: 'auto',
  description: 'Length of a point. With `auto`, it depends on the length of the period.',
  [brief]: { description: 'Length of a point.' },
})

/** `limit` and `page` of rows. */
export const rowsInput = (limit: number) => ({
  limit: Type.Integer({ unit: 'count', default: limit, minimum: 1, maximum: 1_000, description: 'Rows per page.' }),
  page: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: 1_000_000,
    description: 'Number of the page, from 1.',
    [brief]: { description: 'From 1.' },
  }),
})
