import { Type } from '@sinclair/typebox'
import { DateTime, Nullable, OneOf, optional, record, Sentence, type Unit } from '../../../runtime/table/schema.ts'
import { metrics } from '../../../storage/engine/vocabulary/metrics.ts'
import { CHANGES, changeField, Period } from '../stats/records.ts'
import { POWER, UNEVEN_BELOW } from './levels.ts'

const counts = {
  visitors: Type.Integer({ unit: 'count', description: 'Visitors who were shown only this variant.' }),
  visits: Type.Integer({ unit: 'count', description: 'Their visits with the property.' }),
  conversions: Type.Integer({ unit: 'count', description: metrics.conversions.description }),
  converters: Type.Integer({ unit: 'count', description: 'Visitors who completed the goal then or later on that day.' }),
  conversion_rate: Type.Number({ unit: 'percent', description: 'Share of visitors who completed the goal, in percent.' }),
}

const Interval = (unit: Unit, description: string) =>
  Nullable(Type.Object({ from: Type.Number({ unit }), to: Type.Number({ unit }) }), { description })

export const RESULTS = Object.freeze(['control', 'better', 'worse', 'undecided', 'too_little_data'] as const)

const Variant = record(
  'Variant',
  {
    value: Type.String({ description: 'The variant: the value of the property.' }),
    label: Type.String({ description: 'Display form of the variant.' }),
    ...counts,
    first_shown_at: Nullable(DateTime(), {
      description: 'When the first of these visitors was shown the variant in the period; null without visitors.',
    }),
    uplift: Nullable(Type.Number(), {
      unit: 'percent',
      description: 'Percentage by which its conversion rate exceeds the rate of the control; null if the rate of the control is 0.',
    }),
    uplift_interval: Interval('percent', '95% confidence interval of the uplift, percent (Katz); null if one of them has no conversions.'),
    difference: Nullable(Type.Number(), {
      unit: 'percentage_points',
      description: 'Its rate minus the rate of the control, in percentage points.',
    }),
    difference_interval: Interval('percentage_points', '95% confidence interval of the difference, percentage points (Wald).'),
    z: Nullable(Type.Number(), { description: 'Statistic of the two-proportion z-test; null if it cannot be computed.' }),
    p_value: Nullable(Type.Number(), { description: 'Two-sided p-value of that test.' }),
    exact_p_value: Nullable(Type.Number(), {
      description: "Two-sided p-value of Fisher's exact test, if counts are too small for the z-test; null otherwise.",
    }),
    corrected_p_value: Nullable(Type.Number(), {
      description: 'The p-value that decides: of the exact test if there is one, corrected for the number of variants (Holm).',
    }),
    sequential_p_value: Nullable(Type.Number(), {
      description:
        'p-value that stays valid if you look at the experiment as often as you like and stop when it is below 0.05; null if counts are too small for the z-test.',
    }),
    result: OneOf(RESULTS, {
      description:
        'Result: `better` and `worse` if `corrected_p_value` is below 0.05; `too_little_data` if it is not, and counts are too small for the z-test.',
    }),
    message: Sentence({ description: 'The result in a sentence.' }),
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
              conversion_rate: changeField('conversion_rate', { unit: 'percent' }),
            },
            { description: CHANGES },
          ),
        },
        { description: 'The same variant in the comparison, and the change.' },
      ),
    ),
  },
  'One variant of an experiment, compared with the control.',
)

export const Experiment = record(
  'Experiment',
  {
    period: Period,
    property: Type.String({ description: 'Property that contains the variant.' }),
    goal: Type.Object(
      {
        id: Type.String({ description: 'Prefix `goal_`.' }),
        name: Type.String({ description: 'Name of the goal.' }),
      },
      { description: 'Goal that counts as a conversion.' },
    ),
    first_shown_at: Nullable(DateTime(), {
      description:
        'When a visitor was first shown a variant in the period, from which the experiment counts; null if that has not happened.',
    }),
    control: Nullable(Type.String(), { description: 'Variant that the others are compared with; null if there is none yet.' }),
    rows: Type.Array(Variant, { description: 'Variants, most visits first; at most 20.' }),
    sample_ratio: Type.Object(
      {
        chi_square: Nullable(Type.Number(), { description: 'Statistic of the chi-square test against equal shares.' }),
        p_value: Nullable(Type.Number(), { description: 'p-value of that test.' }),
        result: OneOf(['even', 'uneven', 'too_little_data'], {
          description: `Result of the test: \`uneven\` if p is below ${UNEVEN_BELOW}; \`meta.notes\` then contains a warning (\`uneven_split\`).`,
        }),
        message: Sentence({ description: 'The result in a sentence.' }),
      },
      {
        description:
          'Whether visitors were split evenly among the variants; if they were meant to be and were not, \
something is wrong with the experiment.',
      },
    ),
    duration: Nullable(
      Type.Object({
        uplift: Type.Number({ unit: 'percent', description: 'The wished uplift.' }),
        visitors_needed: Type.Integer({ unit: 'count', description: 'Visitors that each variant needs.' }),
        days: Nullable(Type.Integer({ unit: 'days' }), {
          description:
            'Days from the first visitor until each variant has so many, at the present rate; null if a variant has no visitors.',
        }),
        days_left: Nullable(Type.Integer({ unit: 'days' }), { description: 'Days of these that remain; 0 if there are enough visitors.' }),
      }),
      {
        description: `How long the experiment has to run to find \`wished_uplift\` with a probability of ${POWER * 100}%; null if the control has no \
conversions yet.`,
      },
    ),
    comparison: optional(Type.Object({ period: Period }, { description: 'The comparison range of the rows.' })),
  },
  'The result of an experiment: how its variants convert.',
)

/** Largest number of values of a property that is offered for an experiment. */
export const MAX_VARIANTS = 10

export const ExperimentChoices = record(
  'ExperimentChoices',
  {
    period: Period,
    properties: Type.Array(
      Type.Object({
        property: Type.String({ description: 'Key of the property.' }),
        variants: Type.Array(Type.String(), { description: 'Values, most frequent first.' }),
        visits: Type.Integer({ unit: 'count', description: 'Number of visits with the property.' }),
      }),
      { description: `Properties with 2 to ${MAX_VARIANTS} values, most visits first.` },
    ),
    goals: Type.Array(
      Type.Object({ id: Type.String({ description: 'Prefix `goal_`.' }), name: Type.String({ description: 'Name of the goal.' }) }),
      {
        description: 'Goals that may count as a conversion.',
      },
    ),
  },
  'Choices for an experiment.',
)
