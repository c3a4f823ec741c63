/** The response of attribution. */
import { type TOptional, Type } from '@sinclair/typebox'
import { Nullable, OneOf, optional, record } from '../../../runtime/table/schema.ts'
import { HALF_LIFE_DAYS, type Model, MODELS } from '../../../storage/engine/vocabulary/attribution.ts'
import { changeField, Period } from '../stats/records.ts'

const credit = {
  conversions: Type.Number({
    unit: 'count',
    description: 'Completions credited to the value: shares of completions added up, in ten-thousandths.',
  }),
  revenue: Type.Integer({ unit: 'minor_units', description: 'Their revenue that is credited to it.' }),
  share: Nullable(Type.Number(), { unit: 'percent', description: 'Percentage of all completions; null without completions.' }),
}
export const Credit = record(
  'AttributionCredit',
  {
    ...credit,
    comparison: optional(
      Type.Object(
        {
          ...credit,
          change: Type.Object(
            { conversions: changeField('the completions'), revenue: changeField('the revenue') },
            { description: 'Changes in percent.' },
          ),
        },
        { description: 'The same in the comparison, and the change.' },
      ),
    ),
  },
  'Credits of one model to a value.',
)

const described: Readonly<Record<Model, string>> = {
  first: 'To the first visit of the path.',
  last: 'To the visit of the completion.',
  last_non_direct: 'To the last visit that was not direct; if all were direct, to the last.',
  linear: 'To each visit the same share.',
  position: '40 % to the first visit and to the last; the others divide 20 %. With two visits, half to each.',
  time_decay: `More to later visits: a visit that began ${HALF_LIFE_DAYS} days earlier has half the weight.`,
}
const ofModels = Object.fromEntries(
  MODELS.map(name => [name, optional(Type.Object(Credit.properties, { description: described[name] }))]),
) as Record<Model, TOptional<typeof Credit>> // one for each

export const AttributionRow = record(
  'AttributionRow',
  {
    value: Type.String({ description: 'The value, as filters accept it.' }),
    label: Type.String({ description: 'Display form of the value.' }),
    models: Type.Object(ofModels, { description: 'Credits of each requested model to it.' }),
  },
  'A value of the dimension, by every model.',
)

const Total = Type.Object(
  {
    conversions: Type.Integer({
      unit: 'count',
      description: 'Completions in the period. In every model, all values together have exactly as many.',
    }),
    revenue: Type.Integer({ unit: 'minor_units', description: 'Their revenue. In every model, all values together have exactly as much.' }),
    identified: Type.Integer({ unit: 'count', description: 'Completions by people whom the site identifies.' }),
    visits_each: Nullable(Type.Number(), {
      unit: 'ratio',
      description: 'Average number of visits on the way to a completion, the visit of the completion included; null without completions.',
    }),
  },
  { description: 'All completions.' },
)

export const Attribution = record(
  'Attribution',
  {
    period: Period,
    goal_id: Nullable(Type.String(), { description: 'The goal; null for purchases.' }),
    goal: Nullable(Type.String(), { description: 'Its name; null for purchases.' }),
    dimension: Type.String({ description: 'Dimension of the visits.' }),
    lookback_days: Type.Integer({ unit: 'days', description: 'How many days before the visit of a completion visits count.' }),
    models: Type.Array(OneOf(MODELS, { description: 'A model.' }), { description: 'Models of the rows.' }),
    total: Total,
    rows: Type.Array(AttributionRow, { description: 'Values of this page, those with the most completions in the first model first.' }),
    other: Nullable(Type.Object(ofModels), { description: 'All values of other pages together; null if there are none.' }),
    comparison: optional(Type.Object({ period: Period, total: Total }, { description: 'The comparison of the rows.' })),
  },
  'Which values brought completions of a goal, by several models.',
)
