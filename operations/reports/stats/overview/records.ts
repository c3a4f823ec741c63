import { Type } from '@sinclair/typebox'
import { OneOf, optional, record } from '../../../../runtime/table/schema.ts'
import { Note } from '../../../sites/notes/records.ts'
import { Changes, ComparedPoint, Metrics, Period, Point, Row } from '../records.ts'
import { INTERVALS } from '../time/interval.ts'

const Panel = record(
  'Panel',
  {
    dimension: Type.String({ description: 'What the rows are values of.' }),
    rows: Type.Array(Row, { description: 'The top values, most visitors first; at most 10.' }),
  },
  'Top values of one dimension.',
)

export const Overview = record(
  'Overview',
  {
    period: Period,
    metrics: Metrics,
    interval: OneOf(INTERVALS, { description: 'Length of a point.' }),
    series: Type.Array(Point, { description: 'Every point of the period in order, those without a hit too.' }),
    panels: Type.Array(Panel, { description: 'One for each of `panels`, in that order.' }),
    live_visitors: Type.Integer({
      unit: 'count',
      description: 'Visitors who were active in the last 5 minutes, whatever the period; the filters apply to them too.',
    }),
    notes: Type.Array(Note, { description: 'Notes on times in the period, in order; of more than 100 the latest.' }),
    comparison: optional(
      Type.Object(
        {
          period: Period,
          metrics: Metrics,
          change: Changes,
          series: Type.Array(ComparedPoint, { description: 'As many points as the series has, in the same order.' }),
        },
        { description: 'The same over the range compared with, and the change since; rows have one of their own.' },
      ),
    ),
  },
  'All that one page about a site shows.',
)
