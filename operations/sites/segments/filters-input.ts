/** The `filters` input of reports and segments. */
import { type TSchema, Type } from '@sinclair/typebox'
import { limitedBy } from '../../../runtime/table/report-limits.ts'
import { brief, takesConditions } from '../../../runtime/table/schema.ts'
import { checkedBy } from '../../../runtime/table/validate.ts'
import { FILTERS_KNOWN } from '../../../storage/engine/vocabulary/dimensions.ts'
import { operatorNames, operators } from '../../../storage/engine/vocabulary/operators.ts'
import { otherConditions } from './limited.ts'
import { FILTER_LIMITS, parseFilters } from './filters.ts'

const text = { type: 'string' }
/** Dimension, operator or value. Every level has types, because clients refuse lists without a type of their items. */
const part = {
  anyOf: [
    { ...text, maxLength: FILTER_LIMITS.value },
    { type: 'number' },
    { type: 'array', maxItems: FILTER_LIMITS.values, items: { anyOf: [{ ...text, maxLength: FILTER_LIMITS.value }, { type: 'number' }] } },
  ],
}

const condition = (nested: object[]): object => ({
  anyOf: [
    {
      type: 'array',
      minItems: 3,
      maxItems: 3,
      description: '[dimension, operator, value]',
      items: part,
    },
    ...[['any', 'Conditions of which one is enough.'] as const, ['all', 'Conditions that one hit must meet.'] as const].map(
      ([name, description]) => ({
        type: 'object',
        required: [name],
        additionalProperties: false,
        properties: { [name]: { type: 'array', description, maxItems: FILTER_LIMITS.conditions, items: { anyOf: nested } } },
      }),
    ),
  ],
})

const OPERATORS = operatorNames.map(name => `${name} (${operators[name].operand})`).join(', ')

/** The part of their description that only the list of tools has, once. */
export const filtersInFull = `All must hold; {"any":[…]}: or; {"all":[…]}: by one hit. Operators: ${operatorNames.join(', ')}. Dimensions as in \`dimension\`.`

/** The schema for the documentation. filters.ts checks each element and names its faults. */
export const Filters = Type.Array(
  Type.Any(
    condition([
      { type: 'array', maxItems: 3, items: part },
      { type: 'object', maxProperties: 1 },
    ]),
  ) as TSchema,
  {
    default: [],
    maxItems: FILTER_LIMITS.conditions,
    [takesConditions]: true,
    [limitedBy]: otherConditions,
    [brief]: {
      description: '[["country","is","DE"]]; more in stats_breakdown.',
      items: {
        anyOf: [{ type: 'array', items: { anyOf: [text, { type: 'number' }, { type: 'array', items: text }] } }, { type: 'object' }],
      },
    },
    [checkedBy]: (given, pointer) => parseFilters(given, pointer).faults,
    description: `Conditions that all apply: triples [dimension, operator, value], {"any": [conditions]} where one is \
enough, or {"all": [conditions]} that one hit has to meet. Dimensions: ${FILTERS_KNOWN}. Operators: ${OPERATORS}. \
They keep visits: one that has such a page, event, goal or property; a negative operator keeps the visits its positive \
would not. Of these visits, conditions that ask for pages count only the views of those pages. Two conditions on events or goals are each met by a hit of their own ("did A and did B"); \
conditions on properties by one hit that also meets a condition on events (or else goals). Only hits that were asked for, and their \
revenue, count; all other metrics count whole visits \
(meta.filters lists them). At most ${FILTER_LIMITS.conditions} conditions.`,
  },
)
