/** The `filters` of reports and segments as an input. */
import { type TSchema, Type } from '@sinclair/typebox'
import { takesConditions } from '../../../runtime/schema.ts'
import { checkedBy } from '../../../runtime/validate.ts'
import { DIMENSIONS_KNOWN } from '../../../storage/engine/vocabulary/dimensions.ts'
import { operatorNames, operators } from '../../../storage/engine/vocabulary/operators.ts'
import { FILTER_LIMITS, parseFilters } from './filters.ts'

/** Of a part of a condition, whatever its type. */
const bounds = { maxLength: FILTER_LIMITS.value, maxItems: FILTER_LIMITS.values, maxProperties: 1 }

const condition = (nested: object[]): object => ({
  anyOf: [
    {
      type: 'array',
      minItems: 3,
      maxItems: 3,
      description: '[dimension, operator, value]',
      items: { ...bounds, description: 'Dimension, operator or value.' },
    },
    {
      type: 'object',
      required: ['any'],
      additionalProperties: false,
      properties: { any: { type: 'array', maxItems: FILTER_LIMITS.conditions, items: { anyOf: nested } } },
    },
  ],
})

const OPERATORS = operatorNames.map(name => `${name} (${operators[name].operand})`).join(', ')

/** How conditions are written; what is wrong with each part of them, filters.ts says. */
export const Filters = Type.Array(
  Type.Any(
    condition([
      { type: 'array', maxItems: 3, items: bounds },
      { type: 'object', maxProperties: 1 },
    ]),
  ) as TSchema,
  {
    default: [],
    maxItems: FILTER_LIMITS.conditions,
    [takesConditions]: true,
    [checkedBy]: (given, pointer) => parseFilters(given, pointer).faults,
    description: `Conditions that all apply: triples [dimension, operator, value], or {"any": [conditions]} where one is \
enough. Dimensions: ${DIMENSIONS_KNOWN}. Operators: ${OPERATORS}. \
They keep visits: one that has such a page, event, goal or property; a negative operator keeps the visits its positive \
would not. Of these visits, conditions that ask for pages count only the views of those pages; what is asked of events, \
goals and properties must be met by one hit, and only such hits and their revenue count; all else is of whole visits \
(meta.filters says which). At most ${FILTER_LIMITS.conditions} conditions.`,
  },
)
