/** The input: what was reached, by what visits are divided, and which models divide the credit. */
import { Type } from '@sinclair/typebox'
import { limitedBy } from '../../../runtime/table/report-limits.ts'
import { brief, meantBy, OneOf, optional } from '../../../runtime/table/schema.ts'
import { HALF_LIFE_DAYS, MODELS, MAX_TOUCHES } from '../../../storage/engine/vocabulary/attribution.ts'
import { visitDimensions } from '../../../storage/tables/index.ts'
import { otherDimensions } from '../../sites/segments/index.ts'
import { dimensionSynonym, rowsInput, statsInput } from '../stats/index.ts'

const { include_imported: _, ...asked } = statsInput

export const attributionInput = {
  ...asked,
  filters: {
    ...asked.filters,
    description: `${asked.filters.description ?? ''} They choose the completions, by the visit in which the goal was reached.`.trim(),
    [brief]: { ...asked.filters[brief], description: 'Of visits in which the goal was reached.' },
  },
  goal_id: optional(
    Type.String({
      maxLength: 64,
      description:
        'Goal, prefix `goal_`. Without it, purchases: events with revenue. For readers of a link that shows no revenue, the first goal.',
      [brief]: { description: 'Goal: id or name. Without it: purchases.' },
    }),
  ),
  dimension: OneOf(visitDimensions, {
    default: 'channel',
    description: 'Dimension of visits: `channel`, `source`, `utm_campaign`, `utm_medium`, `entry_page` (the landing page) …',
    [brief]: { description: 'Dimension of visits, such as `source` or `utm_campaign`.', enum: undefined },
    [meantBy]: text => {
      const meant = dimensionSynonym(text)
      return visitDimensions.find(name => name === meant)
    },
    [limitedBy]: otherDimensions,
  }),
  models: Type.Array(OneOf(MODELS, { description: 'A model.' }), {
    default: [...MODELS],
    minItems: 1,
    maxItems: MODELS.length,
    uniqueItems: true,
    description: `Models, side by side. \`first\`: the first visit of the path; \`last\`: the visit of the completion; \`last_non_direct\`: the last visit that was not direct; \`linear\`: all the same; \`position\`: 40 % first, 40 % last, 20 % between; \`time_decay\`: half the weight for each ${HALF_LIFE_DAYS} days before. Rows are sorted by the first of them.`,
    [brief]: { description: 'Models side by side; sorted by the first.' },
  }),
  lookback_days: Type.Integer({
    unit: 'days',
    default: 30,
    minimum: 1,
    maximum: 365,
    description: `Visits of the same person count if they began at most so many days before the visit of the completion; at most the latest ${MAX_TOUCHES}.`,
    [brief]: { description: 'How far back visits count.' },
  }),
  ...rowsInput(20),
}
