/** The fields of a new or changed segment. */
import type { Fault } from '../../../runtime/table/errors.ts'
import { fieldAt } from '../../../runtime/table/fault-message.ts'
import { Name } from '../../../runtime/table/schema.ts'
import { checkedBy } from '../../../runtime/table/validate.ts'
import { Filters } from './filters-input.ts'
import { parseFilters } from './filters.ts'
import { m } from './messages.ts'
import { filters } from './records.ts'

/** Characters of the JSON of a segment. A page of a list has a hundred segments, a search all of several sites. */
const MAX_CHARACTERS = 30_000

/** The faults of the conditions of a segment. */
export function conditionFaults(given: unknown, pointer = '/filters'): readonly Fault[] {
  const received = JSON.stringify(given).length
  if (received <= MAX_CHARACTERS) return parseFilters(given, pointer).faults
  return [{ pointer, code: 'too_large', message: m.segment_too_large({ field: fieldAt(pointer), most: MAX_CHARACTERS, received }) }]
}

export const segmentInput = {
  name: Name({ maxLength: 200, description: 'Name in reports, unique within the site.' }),
  filters: {
    ...filters(`Conditions, as in \`filters\` of reports, with at most ${MAX_CHARACTERS} characters as JSON. ${Filters.description}`),
    [checkedBy]: conditionFaults,
  },
}
