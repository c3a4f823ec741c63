import { report } from '../../../runtime/table/operation.ts'
import type { Goal } from '../../../storage/engine/vocabulary/scope.ts'
import { site } from '../../sites/sites/records.ts'
import { apply, engine, unknownGoalId } from '../stats/index.ts'
import { RowsMeta } from '../stats/records.ts'
import { attributionInput } from './input.ts'
import { Attribution } from './records.ts'

export const attribution_get = report({
  route: 'GET /sites/{site_id}/attribution',
  summary: 'Find which channels, sources and campaigns brought a goal or purchases',
  title: 'What brought the goal',
  description:
    'Completions and revenue of a goal by channel, source, campaign or landing page, under several attribution models side by side. A path has the visits of a person before the completion; a visit of an unidentified visitor is a path of its own. In every model, the values add up to the total exactly.',
  place: 'what_it_brings',
  icon: 'attribution',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: attributionInput,
  output: Attribution,
  meta: RowsMeta,
  examples: [
    { summary: 'Purchases by channel', input: { site_id: '{{site}}' } },
    {
      summary: 'A goal by campaign, first and last visit, against the period before',
      input: {
        site_id: '{{site}}',
        goal_id: '{{goal}}',
        dimension: 'utm_campaign',
        models: ['first', 'last'],
        lookback_days: 90,
        compare: 'previous_period',
      },
    },
  ],
  async run({ site, input, db, now, use, caller }) {
    const { goal_id = '' } = input
    const hidesPurchases = caller.limits?.hidden.has('purchases') === true
    const wanted = ({ id }: Goal) => (goal_id === '' ? hidesPurchases : id === goal_id)
    const applied = await apply(db, site, now, input, goals =>
      goal_id === '' || goals.some(wanted) ? [] : [unknownGoalId(goal_id, goals)],
    )
    const { attribution, withoutGoal } = await import('./attribution.ts')
    if (hidesPurchases && !applied.goals.some(wanted)) return withoutGoal(applied, input)
    return attribution(applied, { ...input, goal: applied.goals.find(wanted) ?? null }, use(engine))
  },
})
