/** Web vitals in answers of reports and dashboards. */
import { Type } from '@sinclair/typebox'
import { DateTime, Nullable, OneOf, optional, record } from '../../../runtime/table/schema.ts'
import { Availability } from '../availability/records.ts'
import { INTERVALS } from '../stats/index.ts'
import { changeField, Period } from '../stats/records.ts'
import { RATINGS, vitalNames } from '../../../storage/values/web-vitals.ts'

/** Dimensions that a vital is broken down by. */
export const breakdownDimensions = ['page', 'country', 'device', 'browser', 'os'] as const

const shareOf = (rating: string, better: 'less' | 'more') =>
  Type.Number({ unit: 'percent', better, description: `Percent of the samples that are ${rating}.` })

const measured = {
  samples: Type.Integer({ unit: 'count', description: 'Page loads that reported it.' }),
  p75: Nullable(Type.Number(), { better: 'less', description: '75th percentile, in `unit`; null without samples.' }),
  rating: Nullable(OneOf(RATINGS), { description: 'Rating of the 75th percentile; null without samples.' }),
  good: shareOf('good', 'more'),
  needs_improvement: shareOf('neither good nor poor', 'less'),
  poor: shareOf('poor', 'less'),
}

export const VitalRow = record(
  'VitalRow',
  {
    value: OneOf(vitalNames, { description: 'The metric.' }),
    label: Type.String({ description: 'Its name.' }),
    unit: OneOf(['ms', 'score'], { description: 'Unit of `p75`.' }),
    ...measured,
    devices: Type.Array(
      Type.Object({
        value: Type.String({ description: 'The device, as filters take it; empty where it is not known.' }),
        label: Type.String({ description: 'The device as it is shown.' }),
        ...measured,
      }),
      { description: 'The same by device, most samples first.' },
    ),
    comparison: optional(
      Type.Object(
        {
          ...measured,
          change: Type.Object(
            {
              p75: changeField('p75', 'less'),
            },
            { description: 'The change since.' },
          ),
        },
        { description: 'The same over the range compared with.' },
      ),
    ),
  },
  'One of the web vitals, rated by the thresholds that Google publishes.',
)

export const Vitals = record(
  'Vitals',
  {
    period: Period,
    rows: Type.Array(VitalRow, { description: 'Every metric: LCP, INP, CLS, FCP, TTFB.' }),
    comparison: optional(Type.Object({ period: Period }, { description: 'The range that rows are compared with.' })),
  },
  'Web vitals of a site or a page.',
)

const percentOfSamples = (rating: string, better: 'less' | 'more') =>
  Nullable(Type.Number({ unit: 'percent', better, description: `Percent of the samples that are ${rating}; null under 20 samples.` }))

const figures = {
  samples: Type.Integer({ unit: 'count', description: 'Page loads that reported it.' }),
  value: Nullable(Type.Number(), { better: 'less', description: 'The percentile asked for, in `unit`; null under 20 samples.' }),
  rating: Nullable(OneOf(RATINGS), { description: 'Rating of `value`.' }),
  good: percentOfSamples('good', 'more'),
  needs_improvement: percentOfSamples('neither good nor poor', 'less'),
  poor: percentOfSamples('poor', 'less'),
}
const compared = (description: string) =>
  optional(
    Type.Object(
      { ...figures, change: Type.Object({ value: changeField('value', 'less') }, { description: 'The change since.' }) },
      { description },
    ),
  )

export const Performance = record(
  'Performance',
  {
    period: Period,
    percentile: Type.Integer({ description: 'The percentile of every `value`.' }),
    interval: OneOf(INTERVALS, { description: 'How far apart the points of each series are.' }),
    vitals: Type.Array(
      Type.Object({
        metric: OneOf(vitalNames, { description: 'The metric.' }),
        label: Type.String({ description: 'Its name.' }),
        unit: OneOf(['ms', 'score'], { description: 'Unit of `value`.' }),
        ...figures,
        series: Type.Array(
          Type.Object({
            at: Type.String({ description: 'Beginning of the point, in the time zone of the site.' }),
            partial: Type.Boolean({ description: 'Whether it is not over.' }),
            samples: figures.samples,
            value: figures.value,
          }),
          { description: 'The same over time.' },
        ),
        comparison: compared('The same over the range compared with.'),
      }),
      { description: 'Every metric: LCP, INP, CLS, FCP, TTFB.' },
    ),
    uptime: Type.Object(
      {
        ...Availability.properties,
        checks: Type.Integer({ unit: 'count', description: 'Uptime checks of the site.' }),
        certificate_expires_at: Nullable(DateTime(), {
          description: 'When the first of its certificates expires; null where none is known.',
        }),
      },
      { description: 'Whether the site can be reached: the mean of its checks.' },
    ),
    comparison: optional(Type.Object({ period: Period }, { description: 'The range compared with.' })),
  },
  'How fast a site is for its visitors, and whether it is there.',
)

export const PerformanceBreakdown = record(
  'PerformanceBreakdown',
  {
    period: Period,
    percentile: Type.Integer({ description: 'The percentile of every `value`.' }),
    metric: OneOf(vitalNames, { description: 'The metric.' }),
    unit: OneOf(['ms', 'score'], { description: 'Unit of `value`.' }),
    dimension: OneOf(breakdownDimensions, { description: 'What rows are values of.' }),
    rows: Type.Array(
      Type.Object({
        key: Type.String({ description: 'The value of the dimension, as filters take it; empty where it is not known.' }),
        label: Type.String({ description: 'The value as it is shown.' }),
        ...figures,
        impact: Type.Integer({ unit: 'count', better: 'less', description: 'Samples that are poor: what to mend first.' }),
        comparison: compared('The same over the range compared with.'),
      }),
      { description: 'The rows of this page.' },
    ),
    comparison: optional(Type.Object({ period: Period }, { description: 'The range compared with.' })),
  },
  'A web vital by page, country, device, browser or operating system.',
)
