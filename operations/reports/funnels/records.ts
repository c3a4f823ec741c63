/** A funnel is a list of steps that visits complete in order. */
import { type TSchema, Type } from '@sinclair/typebox'
import { DateTime, iso, optional, record, type Static } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { FunnelRow } from '../../../storage/tables/index.ts'
import { Metrics, Period } from '../stats/index.ts'
import { changeField } from '../stats/records.ts'
import { type Step, Steps } from './steps.ts'
import { idKind } from '../../../runtime/values/ids.ts'
import { ofSite } from '../../sites/sites/records.ts'

export const ids = { funnel: idKind('fun_') }

export const Funnel = record(
  'Funnel',
  {
    id: Type.String({ description: 'Prefix `fun_`.' }),
    site_id: Type.String({ description: 'Site it belongs to.' }),
    name: Type.String({ description: 'Name shown in reports; unique in the site.' }),
    steps: Steps,
    created_at: DateTime({ description: 'When it was made.' }),
    updated_at: DateTime({ description: 'When it was last changed.' }),
  },
  'A funnel: pages, events and goals that a visit is to reach in order.',
)

const { visitors, visits } = Metrics.properties
const percent = (description: string, better?: 'less') =>
  Type.Number({ unit: 'percent', ...(better && { better }), description: `${description}, in percent, one decimal.` })

const rowMetrics = {
  visitors: Type.Integer({ unit: 'count', description: 'Visitors with a visit that came to this step.' }),
  visits: Type.Integer({ unit: 'count', description: 'Visits that came to this step.' }),
  drop_off: Type.Integer({ unit: 'count', better: 'less', description: 'Visitors who came to the step before and not to this one.' }),
  drop_off_rate: percent('The same, of the visitors of the step before', 'less'),
  conversion_rate: percent('Visitors of this step as a share of the first step'),
  step_conversion_rate: percent('Visitors of this step as a share of the previous step; 100 for the first step'),
}
const wholeMetrics = {
  visitors,
  visits,
  entered: Type.Integer({ unit: 'count', description: 'Visitors who took the first step.' }),
  completed: Type.Integer({ unit: 'count', description: 'Visitors who took every step.' }),
  conversion_rate: percent('Completed, of those who entered'),
}
const changesOf = (figures: Readonly<Record<string, TSchema>>) =>
  Type.Object(Object.fromEntries(Object.entries(figures).map(([name, { better }]) => [name, changeField(name, better)])), {
    description: 'Changes in percent.',
  })

const Row = record(
  'FunnelRow',
  {
    value: Type.String({ description: 'Page, event or id of the goal.' }),
    label: Type.String({ description: 'Name of the step.' }),
    ...rowMetrics,
    comparison: optional(
      Type.Object(
        { ...rowMetrics, change: changesOf(rowMetrics) },
        {
          description: 'The same step over the range compared with, and the change since.',
        },
      ),
    ),
  },
  'One step of a funnel with its metrics.',
)

export const FunnelReport = record(
  'FunnelReport',
  {
    period: Period,
    funnel: Type.Object(
      {
        id: Type.String({ description: 'Prefix `fun_`.' }),
        name: Type.String({ description: 'Its name.' }),
      },
      { description: 'The funnel.' },
    ),
    metrics: Type.Object(wholeMetrics, { description: 'The funnel as a whole.' }),
    rows: Type.Array(Row, { description: 'Its steps in order.' }),
    comparison: optional(
      Type.Object(
        {
          period: Period,
          metrics: Type.Object(wholeMetrics, { description: 'The same over the range compared with.' }),
          change: changesOf(wholeMetrics),
        },
        { description: 'The range compared with, and the change since.' },
      ),
    ),
  },
  'How far visits came through a funnel.',
)

export const funnel = subject<'funnel', FunnelRow>({ name: 'funnel', table: 'funnels', find: ofSite('funnels') })

export const stepsOf = ({ steps }: Pick<FunnelRow, 'steps'>): Step[] => JSON.parse(steps) as Step[] // written by us in this form

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
