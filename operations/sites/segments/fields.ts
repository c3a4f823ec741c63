/** The fields of a new or changed segment. */
import { Name } from '../../../runtime/table/schema.ts'
import { Filters } from './filters-input.ts'
import { filters } from './records.ts'

export const segmentInput = {
  name: Name({ maxLength: 200, description: 'Name in reports, unique within the site.' }),
  filters: filters(`Conditions, as in \`filters\` of reports. ${Filters.description}`),
}
