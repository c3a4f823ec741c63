/** The response of journeys. */
import { Type } from '@sinclair/typebox'
import { Nullable, OneOf, optional, record } from '../../../runtime/table/schema.ts'
import { Period } from '../stats/records.ts'

export const MODES = Object.freeze(['forward', 'reverse'] as const)

const counted = {
  visits: Type.Integer({ unit: 'count', description: 'Number of visits that reached this.' }),
  share: Type.Number({ unit: 'percent', description: 'Percentage of `visits` of this response.' }),
  ended: Type.Integer({
    unit: 'count',
    description: 'Number of those visits that ended here (`forward`) or began here (`reverse`).',
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
            description: 'Change of visits in percent; null if there were none before.',
          }),
        },
        { description: 'Change from the comparison.' },
      ),
    },
    { description: 'The same in the comparison.' },
  ),
)

const StepRow = record(
  'JourneyRow',
  {
    kind: OneOf(['page', 'goal', 'event', 'other'], { description: 'Kind of row. `other`: all pages without their own row.' }),
    value: Type.String({ description: 'Path of the page, id of the goal, or name of the event; empty for other pages.' }),
    label: Type.String({ description: 'Display form of the row.' }),
    ...counted,
    comparison: compared,
  },
  'One page of a step.',
)

const Step = record(
  'JourneyStep',
  {
    step: Type.Integer({ description: 'Number of the step. Step 1 is the start of the journey; in reverse, its end.' }),
    ...counted,
    rows: Type.Array(StepRow, { description: 'Top pages, and one row for all others. Their sum is the step.' }),
    comparison: compared,
  },
  'One step. Its visits minus those that ended are the visits of the next step.',
)

const Link = record(
  'JourneyLink',
  {
    step: Type.Integer({ description: 'Step that the link starts from; it leads to the next step.' }),
    from: Type.Integer({ description: '0-based index in the rows of that step.' }),
    to: Type.Integer({ description: '0-based index in the rows of the next step.' }),
    from_label: Type.String({ description: 'Display form of the start row.' }),
    to_label: Type.String({ description: 'Display form of the target row.' }),
    visits: Type.Integer({ unit: 'count', description: 'Number of visits on this link.' }),
  },
  'The number of visits from a page of one step to a page of the next.',
)

const JourneyPath = record(
  'JourneyPath',
  {
    kind: OneOf(['path', 'other'], { description: 'Kind of row. `other`: all paths without their own row.' }),
    pages: Type.Array(Type.String(), {
      description: 'Pages in the order in which they were viewed, without goals and events.',
    }),
    label: Type.String({ description: 'Display form of the path.' }),
    visits: Type.Integer({ unit: 'count', description: 'Number of visits with this path.' }),
    share: Type.Number({ unit: 'percent', description: 'Percentage of `visits` of this response.' }),
  },
  'A path through the site.',
)

export const Journeys = record(
  'Journeys',
  {
    period: Period,
    mode: OneOf(MODES, { description: 'Direction of the steps, from a start or back from an end.' }),
    visits: Type.Integer({ unit: 'count', description: 'Number of visits with such a journey; each visit has at most one.' }),
    steps: Type.Array(Step, { description: 'As many steps as `steps` asks for.' }),
    links: Type.Array(Link, { description: 'Links between rows of adjacent steps, most visits first.' }),
    paths: Type.Array(JourneyPath, { description: 'Top paths over all steps, and one row for all others.' }),
    comparison: optional(Type.Object({ period: Period }, { description: 'The comparison range of the rows.' })),
  },
  'Sequences of pages that visits viewed.',
)
