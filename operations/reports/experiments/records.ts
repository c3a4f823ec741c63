import { Type } from '@sinclair/typebox'
import { DateTime, Nullable, OneOf, optional, record, Sentence, type Unit } from '../../../runtime/table/schema.ts'
import { metrics } from '../../../storage/engine/vocabulary/metrics.ts'
import { changeField, Period } from '../stats/records.ts'
import { UNEVEN_BELOW } from './levels.ts'

const counts = {
  visitors: Type.Integer({ unit: 'count', description: 'Visitors who were shown the variant and no other.' }),
  visits: Type.Integer({ unit: 'count', description: 'Their visits in which the property came.' }),
  conversions: Type.Integer({ unit: 'count', description: metrics.conversions.description }),
  converters: Type.Integer({ unit: 'count', description: 'Visitors who completed the goal then or later that day.' }),
  conversion_rate: Type.Number({ unit: 'percent', description: 'Percent of the visitors who completed the goal.' }),
}

const Interval = (unit: Unit, description: string) =>
  Nullable(Type.Object({ from: Type.Number({ unit }), to: Type.Number({ unit }) }), { description })

export const RESULTS = Object.freeze(['control', 'better', 'worse', 'undecided', 'too_little_data'] as const)

const Variant = record(
  'Variant',
  {
    value: Type.String({ description: 'The variant, as the property has it.' }),
    label: Type.String({ description: 'The variant as it is shown.' }),
    ...counts,
    first_shown_at: Nullable(DateTime(), {
      description: 'When the first of these visitors was shown it in the period; null where there are none.',
    }),
    uplift: Nullable(Type.Number(), {
      unit: 'percent',
      description: 'By how many percent its conversion rate exceeds the rate of the control; null if the control has 0.',
    }),
    uplift_interval: Interval('percent', '95% confidence interval of the uplift, percent (Katz); null where one of both has none.'),
    difference: Nullable(Type.Number(), {
      unit: 'percentage_points',
      description: 'Its rate minus the rate of the control, in percentage points.',
    }),
    difference_interval: Interval('percentage_points', '95% confidence interval of the difference, percentage points (Wald).'),
    z: Nullable(Type.Number(), { description: 'Statistic of the two-proportion z-test; null where there is none.' }),
    p_value: Nullable(Type.Number(), { description: 'Two-sided p-value of that test.' }),
    result: OneOf(RESULTS, {
      description: '`better` and `worse` where p is below 0.05; `too_little_data` where the test would mean nothing.',
    }),
    message: Sentence({ description: 'The result in plain words.' }),
    comparison: optional(
      Type.Object(
        {
          ...counts,
          change: Type.Object(
            {
              visitors: changeField('visitors'),
              visits: changeField('visits'),
              conversions: changeField('conversions'),
              converters: changeField('converters'),
              conversion_rate: changeField('conversion_rate'),
            },
            { description: 'Changes in percent.' },
          ),
        },
        { description: 'The same variant over the range compared with, and the change since.' },
      ),
    ),
  },
  'One variant of an experiment against the control.',
)

export const Experiment = record(
  'Experiment',
  {
    period: Period,
    property: Type.String({ description: 'Property that holds the variant.' }),
    goal: Type.Object(
      {
        id: Type.String({ description: 'Prefix `goal_`.' }),
        name: Type.String({ description: 'Its name.' }),
      },
      { description: 'What counts as a conversion.' },
    ),
    first_shown_at: Nullable(DateTime(), {
      description: 'When the first visitor was shown a variant in the period: the experiment counts from then; null while none was.',
    }),
    control: Nullable(Type.String(), { description: 'What the others are compared with; null while there is none.' }),
    rows: Type.Array(Variant, { description: 'The variants, most visits first; at most 20.' }),
    sample_ratio: Type.Object(
      {
        chi_square: Nullable(Type.Number(), { description: 'Statistic of the chi-square test against equal shares.' }),
        p_value: Nullable(Type.Number(), { description: 'Its p-value.' }),
        result: OneOf(['even', 'uneven', 'too_little_data'], {
          description: `\`uneven\` where p is below ${UNEVEN_BELOW}; \`meta.notes\` then warns of it (\`uneven_split\`).`,
        }),
        message: Sentence({ description: 'The result in plain words.' }),
      },
      {
        description:
          'Whether visitors were split evenly among the variants; if they were meant to be and were not, \
something is wrong with the experiment.',
      },
    ),
    comparison: optional(Type.Object({ period: Period }, { description: 'The range that rows are compared with.' })),
  },
  'How the variants of an experiment convert.',
)

/** Values that a property may have to be offered as the variants of an experiment. */
export const MOST_VARIANTS = 10

export const ExperimentChoices = record(
  'ExperimentChoices',
  {
    period: Period,
    properties: Type.Array(
      Type.Object({
        property: Type.String({ description: 'Key of the property.' }),
        variants: Type.Array(Type.String(), { description: 'Its values, the most frequent first.' }),
        visits: Type.Integer({ unit: 'count', description: 'Visits in which it came.' }),
      }),
      { description: `Those with 2 to ${MOST_VARIANTS} values, most visits first.` },
    ),
    goals: Type.Array(
      Type.Object({ id: Type.String({ description: 'Prefix `goal_`.' }), name: Type.String({ description: 'Its name.' }) }),
      {
        description: 'Goals to compare them by.',
      },
    ),
  },
  'What experiments can be read from.',
)
