/** The fields of a new or changed goal. */
import { brief, Name, optional, shownWith } from '../../../runtime/table/schema.ts'
import { checkedBy } from '../../../runtime/table/validate.ts'
import { fieldFaults } from './condition.ts'
import { goalCompletion, worth } from './records.ts'
import { worthFaults } from './worth.ts'

export const name = Name({
  maxLength: 1_000,
  description: 'Name in reports, unique within the site. Defaults to what the goal counts.',
  [brief]: { description: 'Defaults to what it counts.' },
})
const { kind, ...fields } = goalCompletion
export { kind }

const ofKinds = (...values: readonly string[]) => ({ [shownWith]: { field: 'kind', values } })
const ofPages = ofKinds('page', 'scroll', 'duration')
const ofHits = ofKinds('page', 'event', 'scroll')
export const condition = {
  path: optional({ ...fields.path, ...ofPages }),
  regex: optional({ ...fields.regex, ...ofPages }),
  event: optional({ ...fields.event, ...ofKinds('event', 'click') }),
  depth: optional({ ...fields.depth, ...ofKinds('scroll') }),
  duration_seconds: optional({ ...fields.duration_seconds, ...ofKinds('duration') }),
  selector: optional({ ...fields.selector, ...ofKinds('click') }),
  property: optional({ ...fields.property, ...ofHits }),
  value: optional({ ...fields.value, ...ofHits }),
  properties: optional({ ...fields.properties, ...ofHits }),
  value_amount: optional(worth.value_amount),
  value_property: optional({
    ...worth.value_property,
    [checkedBy]: (property, _, { value_amount }) => worthFaults(value_amount, property),
  }),
}

/** The input of a new goal. */
export const goalInput = { kind: { ...kind, [checkedBy]: fieldFaults }, name: optional(name), ...condition }
