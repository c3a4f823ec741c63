/** Current visitors of a site. */
import { Type } from '@sinclair/typebox'
import { DateTime, record } from '../../../runtime/table/schema.ts'
import { Period } from '../stats/index.ts'

const visitors = (description: string) => Type.Integer({ unit: 'count', description })

const LiveRow = record(
  'LiveRow',
  {
    value: Type.String({ description: 'The value, as filters take it; empty where there is none.' }),
    label: Type.String({ description: 'The value as it is shown.' }),
    visitors: visitors('Visitors who are there now.'),
  },
  'One value of a dimension with the visitors who are there now.',
)

const LivePoint = record(
  'LivePoint',
  {
    at: DateTime({ description: 'Where the minute begins, with the offset of the site.' }),
    partial: Type.Boolean({ description: 'Whether it is not over yet.' }),
    visitors: visitors('Visitors who viewed a page or sent an event in it.'),
    pageviews: Type.Integer({ unit: 'count', description: 'Pages viewed in it.' }),
  },
  'One minute of the last half hour.',
)

export const Live = record(
  'Live',
  {
    period: Period,
    metrics: Type.Object(
      {
        visitors: visitors('Visitors who were active in the period: who viewed a page, sent an event or read on.'),
      },
      { description: 'Who is there now.' },
    ),
    pages: Type.Array(LiveRow, { description: 'Where they are: the page each viewed last; the top 10.' }),
    sources: Type.Array(LiveRow, { description: 'Where they came from; the top 10.' }),
    countries: Type.Array(LiveRow, { description: 'Their countries; the top 10.' }),
    series: Type.Array(LivePoint, { description: 'The last 30 minutes in order, the one under way included.' }),
  },
  'The visitors of the last 5 minutes, and the last 30 minutes one by one.',
)
