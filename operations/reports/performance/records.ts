/** Web vitals in responses of reports and dashboards. */
import { Type } from '@sinclair/typebox'
import { DateTime, Nullable, OneOf, optional, record } from '../../../runtime/table/schema.ts'
import { Availability } from '../availability/records.ts'
import { INTERVALS } from '../stats/index.ts'
import { changeField, Period } from '../stats/records.ts'
import { RATINGS, vitalNames } from '../../../storage/values/web-vitals.ts'

/** Dimensions for a breakdown of a web vital. */
export const breakdownDimensions = ['page', 'country', 'device', 'browser', 'os'] as const

const shareOf = (rating: string, better: 'less' | 'more') =>
  Type.Number({ unit: 'percent', better, description: `Percentage of samples that are ${rating}.` })

const measured = {
  samples: Type.Integer({ unit: 'count', description: 'Number of page loads that reported the vital.' }),
  p75: Nullable(Type.Number(), { better: 'less', description: '75th percentile, in `unit`; null without samples.' }),
  rating: Nullable(OneOf(RATINGS), { description: 'Rating of the 75th percentile; null without samples.' }),
  good: shareOf('good', 'more'),
  needs_improvement: shareOf('neither good nor poor', 'less'),
  poor: shareOf('poor', 'less'),
}

export const VitalRow = record(
  'VitalRow',
  {
    value: OneOf(vitalNames, { description: 'Name of the web vital.' }),
    label: Type.String({ description: 'Display name of the web vital.' }),
    unit: OneOf(['ms', 'score'], { description: 'Unit of `p75`.' }),
    ...measured,
    devices: Type.Array(
      Type.Object({
        value: Type.String({ description: 'The device, as filters accept it; empty if unknown.' }),
        label: Type.String({ description: 'Display form of the device.' }),
        ...measured,
      }),
      { description: 'Values by device, most samples first.' },
    ),
    comparison: optional(
      Type.Object(
        {
          ...measured,
          change: Type.Object(
            {
              p75: changeField('p75', { better: 'less' }),
            },
            { description: 'Change from the comparison.' },
          ),
        },
        { description: 'The same in the comparison.' },
      ),
    ),
  },
  'One of the web vitals, rated by the thresholds that Google publishes.',
)

export const Vitals = record(
  'Vitals',
  {
    period: Period,
    rows: Type.Array(VitalRow, { description: 'One row per web vital: LCP, INP, CLS, FCP, TTFB.' }),
    comparison: optional(Type.Object({ period: Period }, { description: 'The comparison range of the rows.' })),
  },
  'Web vitals of a site or a page.',
)

const percentOfSamples = (rating: string, better: 'less' | 'more') =>
  Nullable(
    Type.Number({ unit: 'percent', better, description: `Percentage of samples that are ${rating}; null with fewer than 20 samples.` }),
  )

const figures = {
  samples: Type.Integer({ unit: 'count', description: 'Number of page loads that reported the vital.' }),
  value: Nullable(Type.Number(), { better: 'less', description: 'Requested percentile, in `unit`; null with fewer than 20 samples.' }),
  rating: Nullable(OneOf(RATINGS), { description: 'Rating of `value`.' }),
  good: percentOfSamples('good', 'more'),
  needs_improvement: percentOfSamples('neither good nor poor', 'less'),
  poor: percentOfSamples('poor', 'less'),
}
/** Figures of a row. Its `value` is the value of the dimension, as in every report. */
const { value: percentileOfRow, ...otherFigures } = figures
const figuresOfRow = { measured: percentileOfRow, ...otherFigures }
const compared = (description: string) =>
  optional(
    Type.Object(
      {
        ...figures,
        change: Type.Object({ value: changeField('value', { better: 'less' }) }, { description: 'Change from the comparison.' }),
      },
      { description },
    ),
  )

export const Performance = record(
  'Performance',
  {
    period: Period,
    percentile: Type.Integer({ description: 'Percentile of every `value`.' }),
    interval: OneOf(INTERVALS, { description: 'Length of a point of a series.' }),
    vitals: Type.Array(
      Type.Object({
        metric: OneOf(vitalNames, { description: 'Name of the web vital.' }),
        label: Type.String({ description: 'Display name of the web vital.' }),
        unit: OneOf(['ms', 'score'], { description: 'Unit of `value`.' }),
        ...figures,
        series: optional(
          Type.Array(
            Type.Object({
              at: Type.String({ description: 'Start of the point, in the time zone of the site.' }),
              partial: Type.Boolean({ description: 'Whether the point has not ended yet.' }),
              samples: figures.samples,
              value: figures.value,
            }),
            { description: 'Values over time, unless the request leaves them out.' },
          ),
        ),
        comparison: compared('The same in the comparison.'),
      }),
      { description: 'One element per web vital: LCP, INP, CLS, FCP, TTFB.' },
    ),
    uptime: Type.Object(
      {
        ...Availability.properties,
        checks: Type.Integer({ unit: 'count', description: 'Number of uptime checks of the site.' }),
        certificate_expires_at: Nullable(DateTime(), {
          description: 'Earliest expiry of its certificates; null if unknown.',
        }),
      },
      { description: 'Availability of the site: the mean of its checks.' },
    ),
    comparison: optional(Type.Object({ period: Period }, { description: 'The comparison range.' })),
  },
  'Web vitals of a site over time, and its availability.',
)

export const PerformanceBreakdown = record(
  'PerformanceBreakdown',
  {
    period: Period,
    percentile: Type.Integer({ description: 'Percentile of every `measured`.' }),
    metric: OneOf(vitalNames, { description: 'Name of the web vital.' }),
    unit: OneOf(['ms', 'score'], { description: 'Unit of `measured`.' }),
    dimension: OneOf(breakdownDimensions, { description: 'Dimension of the rows.' }),
    rows: Type.Array(
      Type.Object({
        value: Type.String({ description: 'Value of the dimension, as filters accept it; empty if it is missing.' }),
        label: Type.String({ description: 'Display form of the value.' }),
        ...figuresOfRow,
        impact: Type.Integer({ unit: 'count', better: 'less', description: 'Number of poor samples, which shows what to fix first.' }),
        comparison: optional(
          Type.Object(
            {
              ...figuresOfRow,
              change: Type.Object(
                { measured: changeField('measured', { better: 'less' }) },
                { description: 'Change from the comparison.' },
              ),
            },
            { description: 'The same in the comparison.' },
          ),
        ),
      }),
      { description: 'Rows of this page.' },
    ),
    comparison: optional(Type.Object({ period: Period }, { description: 'The comparison range.' })),
  },
  'A web vital by page, country, device, browser or operating system.',
)
