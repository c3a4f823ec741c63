import { Type } from '@sinclair/typebox'
import { OneOf, optional, record } from '../../../../runtime/table/schema.ts'
import { Note } from '../../../sites/notes/records.ts'
import { Changes, ComparedPoint, Metrics, Period, Point, Row } from '../records.ts'
import { INTERVALS } from '../time/interval.ts'

const Panel = record(
  'Panel',
  {
    dimension: Type.String({ description: 'Dimension of the rows.' }),
    rows: Type.Array(Row, { description: 'Top values, most visitors first; at most 10.' }),
    imported: optional(Type.Boolean({ description: 'Whether the rows include imported history. Absent unless the metrics include it.' })),
  },
  'Top values of one dimension.',
)

export const Overview = record(
  'Overview',
  {
    period: Period,
    metrics: Metrics,
    interval: OneOf(INTERVALS, { description: 'Length of a point.' }),
    series: Type.Array(Point, { description: 'Every point of the period in order, including points without hits.' }),
    panels: Type.Array(Panel, { description: 'One element per requested panel, in the requested order.' }),
    live_visitors: Type.Integer({
      unit: 'count',
      description: 'Visitors who were active in the last 5 minutes, whatever the period. The filters apply.',
    }),
    notes: Type.Array(Note, { description: 'Notes on times in the period, in order; at most the latest 100.' }),
    comparison: optional(
      Type.Object(
        {
          period: Period,
          metrics: Metrics,
          change: Changes,
          series: Type.Array(ComparedPoint, { description: 'As many points as the series has, in the same order.' }),
        },
        { description: 'The same in the comparison, and the change; rows have their own comparison.' },
      ),
    ),
  },
  'The data of a site’s overview page.',
)
