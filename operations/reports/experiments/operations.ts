import { Type } from '@sinclair/typebox'
import { limitedBy } from '../../../runtime/table/report-limits.ts'
import { report } from '../../../runtime/table/operation.ts'
import { brief, optional } from '../../../runtime/table/schema.ts'
import { LIMITS } from '../../sites/collection/index.ts'
import { otherProperty } from '../../sites/segments/index.ts'
import { site } from '../../sites/sites/records.ts'
import { apply, engine, statsInput, unknownGoalId } from '../stats/index.ts'
import type { Goal } from '../../../storage/engine/vocabulary/scope.ts'
import { ReportMeta } from '../stats/records.ts'
import { experiment } from './experiment.ts'
import { Experiment } from './records.ts'

export const experiments_report = report({
  route: 'GET /sites/{site_id}/experiments',
  summary: 'Compare the variants of an A/B test: which one converts better',
  description:
    'Conversion rate of each variant, uplift against the control, whether the difference is significant (also for small counts, ' +
    'several variants and repeated looks), and how long the experiment has to run. The variant of a visitor is the value of a ' +
    'property of their hits. A visitor converts by completing the goal then or later on that day.',
  place: 'what_it_brings',
  icon: 'experiment',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: {
    ...statsInput,
    property: Type.String({
      minLength: 1,
      maxLength: 300,
      [limitedBy]: otherProperty,
      description: 'Event property that contains the variant; `event_properties_list` returns them.',
      [brief]: { description: 'Property with the variant (`event_properties_list`).' },
    }),
    goal_id: Type.String({
      maxLength: 64,
      description: 'Goal that counts as a conversion, prefix `goal_`.',
      [brief]: { description: 'Goal: id or name.' },
    }),
    control: optional(
      Type.String({
        minLength: 1,
        maxLength: LIMITS.value,
        description: 'Variant to compare the others with. Defaults to `control` if it exists; otherwise, to the variant with most visits.',
        [brief]: { description: 'Defaults to `control`, or to the one with most visits.' },
      }),
    ),
    wished_uplift: Type.Number({
      unit: 'percent',
      default: 10,
      minimum: 0.1,
      maximum: 1_000,
      description: 'Uplift that the experiment should find; `duration` answers how long that takes.',
      [brief]: { description: 'Uplift to find.' },
    }),
  },
  output: Experiment,
  meta: ReportMeta,
  examples: [
    { input: { site_id: '{{site}}', property: 'variant', goal_id: '{{goal}}' } },
    {
      summary: 'On phones, against the variant "old"',
      input: {
        site_id: '{{site}}',
        property: 'checkout',
        goal_id: '{{goal}}',
        control: 'old',
        period: '90d',
        filters: [['device', 'is', 'mobile']],
      },
    },
  ],
  async run({ site, input, db, now, use }) {
    const wanted = ({ id }: Goal) => id === input.goal_id
    const applied = await apply(db, site, now, input, goals => (goals.some(wanted) ? [] : [unknownGoalId(input.goal_id, goals)]))
    const goal = applied.goals.find(wanted)
    if (!goal) throw new Error('a goal of the report no longer exists')
    return experiment({ applied, goal, experimentInput: input, engine: use(engine) })
  },
})
