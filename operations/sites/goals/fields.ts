/** The fields of a new or changed goal. */
import { Name, optional, shownWith } from '../../../runtime/table/schema.ts'
import { checkedBy } from '../../../runtime/table/validate.ts'
import { fieldFaults } from './condition.ts'
import { completion } from './records.ts'

export const name = Name({
  maxLength: 1_000,
  description: 'Name in reports, unique within the site. Defaults to the path or event.',
})
const { kind, ...fields } = completion
export { kind }
export const condition = {
  path: optional({ ...fields.path, [shownWith]: { field: 'kind', values: ['page'] } }),
  event: optional({ ...fields.event, [shownWith]: { field: 'kind', values: ['event'] } }),
  property: optional(fields.property),
  value: optional(fields.value),
}

/** The input of a new goal. */
export const goalInput = { kind: { ...kind, [checkedBy]: fieldFaults }, name: optional(name), ...condition }
