/** A funnel is a list of steps that visits complete in order. */
import { type TSchema, Type } from '@sinclair/typebox'
import { DateTime, iso, Nullable, OneOf, optional, record, type Static } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { FunnelRow } from '../../../storage/tables/index.ts'
import { metricFields, Period } from '../stats/index.ts'
import { CHANGES, changeField } from '../stats/records.ts'
import { type Step, Steps } from './steps.ts'
import { idKind } from '../../../runtime/values/ids.ts'
import { ofSite } from '../../sites/sites/records.ts'

export const ids = { funnel: idKind('fun_') }

export const Funnel = record(
  'Funnel',
  {
    id: Type.String({ description: 'Prefix `fun_`.' }),
    site_id: Type.String({ description: 'Site of the funnel.' }),
    name: Type.String({ description: 'Name in reports, unique within the site.' }),
    steps: Steps,
    created_at: DateTime({ description: 'When the funnel was created.' }),
    updated_at: DateTime({ description: 'When the funnel was last changed.' }),
  },
  'A funnel: pages, events and goals that visits complete in order.',
)

const { visitors, visits } = metricFields(['visitors', 'visits'])
const percent = (description: string, better?: 'less') =>
  Type.Number({ unit: 'percent', ...(better && { better }), description: `${description}, in percent, one decimal.` })

const rowMetrics = {
  visitors: Type.Integer({ unit: 'count', description: 'Visitors with a visit that completed this step.' }),
  visits: Type.Integer({ unit: 'count', description: 'Visits that completed this step.' }),
  drop_off: Type.Integer({ unit: 'count', better: 'less', description: 'Visitors who completed the previous step and not this one.' }),
  drop_off_rate: percent('Share of the visitors of the previous step who dropped off', 'less'),
  conversion_rate: percent('Visitors of this step as a share of the first step'),
  step_conversion_rate: percent('Visitors of this step as a share of the previous step; 100 for the first step'),
}
const wholeMetrics = {
  visitors,
  visits,
  entered: Type.Integer({ unit: 'count', description: 'Visitors who completed the first step.' }),
  completed: Type.Integer({ unit: 'count', description: 'Visitors who completed every step.' }),
  conversion_rate: percent('Share of the entered visitors who completed every step'),
}
const changesOf = (figures: Readonly<Record<string, TSchema>>) =>
  Type.Object(Object.fromEntries(Object.entries(figures).map(([name, { unit, better }]) => [name, changeField(name, { unit, better })])), {
    description: CHANGES,
  })

const stepTime = (description: string) =>
  Nullable(Type.Integer({ unit: 'ms' }), {
    description: `${description} from the latest completion of the step before to the first of this step, in whole seconds; null for the first step, and without \`times\`.`,
  })

const Row = record(
  'FunnelRow',
  {
    value: Type.String({ description: 'Page, event or id of the goal.' }),
    label: Type.String({ description: 'Name of the step.' }),
    ...rowMetrics,
    time_median: stepTime('Median time'),
    time_p90: stepTime('Time that 90% of them needed at most'),
    comparison: optional(
      Type.Object(
        { ...rowMetrics, change: changesOf(rowMetrics) },
        {
          description: 'The same step in the comparison, and the change.',
        },
      ),
    ),
  },
  'One step of a funnel with its metrics.',
)

const groupMetrics = { entered: wholeMetrics.entered, completed: wholeMetrics.completed, conversion_rate: wholeMetrics.conversion_rate }
const GroupRow = record(
  'FunnelGroupRow',
  {
    value: Type.String({ description: 'Value of the dimension.' }),
    label: Type.String({ description: 'Display form of the value.' }),
    ...groupMetrics,
    steps: Type.Array(Type.Integer({ unit: 'count' }), { description: 'Visitors of each step.' }),
    comparison: optional(
      Type.Object({ ...groupMetrics, change: changesOf(groupMetrics) }, { description: 'The same in the comparison, and the change.' }),
    ),
  },
  'One value of a dimension with its way through a funnel.',
)

export const FunnelReport = record(
  'FunnelReport',
  {
    period: Period,
    funnel: Type.Object(
      {
        id: Type.String({ description: 'Prefix `fun_`.' }),
        name: Type.String({ description: 'Name of the funnel.' }),
      },
      { description: 'The funnel.' },
    ),
    metrics: Type.Object(wholeMetrics, { description: 'Metrics of the whole funnel.' }),
    counted: OneOf(['visits', 'people'], {
      description:
        'Subjects of the steps: visits or, with a window of days, identified people over all of their visits. `visitors` and `visits` are then both people.',
    }),
    rows: Type.Array(Row, { description: 'Steps in order.' }),
    by: optional(
      Type.Object(
        {
          dimension: Type.String({ description: 'The requested dimension.' }),
          rows: Type.Array(GroupRow, { description: 'Its values, most visitors of the first step first.' }),
        },
        { description: 'The funnel by the values of a dimension, if `by` names one.' },
      ),
    ),
    comparison: optional(
      Type.Object(
        {
          period: Period,
          metrics: Type.Object(wholeMetrics, { description: 'The same metrics in the comparison.' }),
          change: changesOf(wholeMetrics),
        },
        { description: 'The comparison range, and the change.' },
      ),
    ),
  },
  'A funnel report: how far visits came.',
)

export const funnel = subject<'funnel', FunnelRow>({ name: 'funnel', table: 'funnels', find: ofSite('funnels') })

export const stepsOf = ({ steps }: Pick<FunnelRow, 'steps'>): Step[] => JSON.parse(steps) as Step[] // stored in this form

export function toFunnel(row: FunnelRow): Static<typeof Funnel> {
  return {
    id: row.id,
    site_id: row.site_id,
    name: row.name,
    steps: stepsOf(row),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}
