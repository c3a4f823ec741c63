/** The answer of journeys. */
import { Type } from '@sinclair/typebox'
import { Nullable, OneOf, optional, record } from '../../../runtime/table/schema.ts'
import { Period } from '../stats/records.ts'

export const MODES = Object.freeze(['forward', 'reverse'] as const)

const counted = {
  visits: Type.Integer({ unit: 'count', description: 'Visits that came here.' }),
  share: Type.Number({ unit: 'percent', description: 'Percent of `visits` of this answer.' }),
  ended: Type.Integer({
    unit: 'count',
    description: 'Of those, how many went no further: forward they left here, in reverse they came in here.',
  }),
}
const compared = optional(
  Type.Object(
    {
      ...counted,
      change: Type.Object(
        {
          visits: Nullable(Type.Number(), {
            unit: 'percent',
            description: 'Change of visits in percent; null where there were none before.',
          }),
        },
        { description: 'The change since.' },
      ),
    },
    { description: 'The same over the range compared with.' },
  ),
)

const StepRow = record(
  'JourneyRow',
  {
    kind: OneOf(['page', 'goal', 'other'], { description: '`other`: all pages that have no row of their own.' }),
    value: Type.String({ description: 'Path of the page, or id of the goal; empty for other pages.' }),
    label: Type.String({ description: 'How it is shown.' }),
    ...counted,
    comparison: compared,
  },
  'One page of a step.',
)

const Step = record(
  'JourneyStep',
  {
    step: Type.Integer({ description: 'From 1, where the journey starts; in reverse, where it ends.' }),
    ...counted,
    rows: Type.Array(StepRow, { description: 'Its top pages, and the rest as one; they add up to the step.' }),
    comparison: compared,
  },
  'One step. Its visits without those that ended are the visits of the next.',
)

const Link = record(
  'JourneyLink',
  {
    step: Type.Integer({ description: 'The step it leads from; it leads to the next.' }),
    from: Type.Integer({ description: 'Place, from 0, among the rows of that step.' }),
    to: Type.Integer({ description: 'Place, from 0, among the rows of the next.' }),
    from_label: Type.String({ description: 'The row it leads from, as it is shown.' }),
    to_label: Type.String({ description: 'The row it leads to, as it is shown.' }),
    visits: Type.Integer({ unit: 'count', description: 'Visits with this path.' }),
  },
  'How many visits went from a page of one step to a page of the next.',
)

const JourneyPath = record(
  'JourneyPath',
  {
    kind: OneOf(['path', 'other'], { description: '`other`: all paths that have no row of their own.' }),
    pages: Type.Array(Type.String(), {
      description: 'Up to three pages in the order they were viewed, fewer where there were no more; goals left out.',
    }),
    label: Type.String({ description: 'How it is shown.' }),
    visits: Type.Integer({ unit: 'count', description: 'Visits with this path.' }),
    share: Type.Number({ unit: 'percent', description: 'Percent of `visits` of this answer.' }),
  },
  'A path through the site.',
)

export const Journeys = record(
  'Journeys',
  {
    period: Period,
    mode: OneOf(MODES, { description: 'Whether steps lead on from a start, or back from an end.' }),
    visits: Type.Integer({ unit: 'count', description: 'Visits that have such a journey; each has one.' }),
    steps: Type.Array(Step, { description: 'Three steps.' }),
    links: Type.Array(Link, { description: 'How the rows of the steps hang together, most visits first.' }),
    paths: Type.Array(JourneyPath, { description: 'The top paths over all three steps, and the rest as one.' }),
    comparison: optional(Type.Object({ period: Period }, { description: 'The range that rows are compared with.' })),
  },
  'The pages that visits view after one another.',
)
