/** Web vitals in answers of reports and dashboards. */
import { Type } from '@sinclair/typebox'
import { Nullable, OneOf, optional, record } from '../../../runtime/schema.ts'
import { changeField, Period } from '../stats/records.ts'
import { RATINGS, vitalNames } from '../../../storage/engine/vocabulary/vitals.ts'

const shareOf = (rating: string, better: 'less' | 'more') =>
  Type.Number({ unit: 'percent', better, description: `Percent of the samples that are ${rating}.` })

const measured = {
  samples: Type.Integer({ unit: 'count', description: 'Page loads that told of it.' }),
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
