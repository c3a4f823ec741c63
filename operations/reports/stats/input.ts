/** The parameters that reports share, declared once. */
import { type TSchema, Type } from '@sinclair/typebox'
import { CalendarDay, OneOf, optional, takesConditions } from '../../../runtime/schema.ts'
import { checkedBy } from '../../../runtime/validate.ts'
import { DIMENSIONS_KNOWN } from '../../../storage/engine/vocabulary/dimensions.ts'
import { FILTER_LIMITS, parseFilters } from './filters.ts'
import { operatorNames, operators } from '../../../storage/engine/vocabulary/operators.ts'
import { COMPARISONS } from './time/comparison.ts'
import { dateFaults } from './time/custom.ts'
import { inInput } from './time/faults.ts'
import { INTERVALS } from './time/interval.ts'
import { PERIODS } from './time/period.ts'

/** Of a part of a condition, whatever its type. */
const bounds = { maxLength: FILTER_LIMITS.value, maxItems: FILTER_LIMITS.values, maxProperties: 1 }

const condition = (nested: object[]): object => ({
  anyOf: [
    {
      type: 'array', minItems: 3, maxItems: 3, description: '[dimension, operator, value]',
      items: { ...bounds, description: 'Dimension, operator or value.' },
    },
    {
      type: 'object', required: ['any'], additionalProperties: false,
      properties: { any: { type: 'array', maxItems: FILTER_LIMITS.conditions, items: { anyOf: nested } } },
    },
  ],
})

const OPERATORS = operatorNames.map(name => `${name} (${operators[name].operand})`).join(', ')

/** How conditions are written; what is wrong with each part of them, filters/parse.ts says. */
const Filters = Type.Array(Type.Any(condition([{ type: 'array', maxItems: 3, items: bounds }, { type: 'object', maxProperties: 1 }])) as TSchema, {
  default: [], maxItems: FILTER_LIMITS.conditions,
  [takesConditions]: true,
  [checkedBy]: (given, pointer) => parseFilters(given, pointer).faults,
  description: `Conditions that all hold: triples [dimension, operator, value], or {"any": [conditions]} where one is \
enough. Dimensions: ${DIMENSIONS_KNOWN}. Operators: ${OPERATORS}. \
They keep visits: one that has such a page, event, goal or property; a negative operator keeps the visits its positive \
would not. At most ${FILTER_LIMITS.conditions} conditions.`,
})

/** `period` … `include_imported`: what every report takes. */
export const statsInput = {
  period: OneOf(PERIODS, {
    default: '30d', description: 'Days in the time zone of the site, today included; `custom` goes with from and to.',
    [checkedBy]: (period, _, beside) => inInput(dateFaults('period', String(period), beside)),
  }),
  from: optional(CalendarDay({ description: 'First day of a custom period.' })),
  to: optional(CalendarDay({ description: 'Last day of a custom period, included.' })),
  compare: OneOf(COMPARISONS, {
    default: 'none', description: 'What to compare with; `custom` goes with compare_from and compare_to.',
    [checkedBy]: (compare, _, beside) => inInput(dateFaults('compare', String(compare), beside)),
  }),
  compare_from: optional(CalendarDay({ description: 'First day of a custom comparison.' })),
  compare_to: optional(CalendarDay({ description: 'Last day of a custom comparison, included.' })),
  match_weekday: Type.Boolean({
    default: false, description: 'Move the comparison back until it begins on the same weekday.',
  }),
  filters: Filters,
  segment_id: optional(Type.String({ maxLength: 64, description: 'Saved segment whose conditions hold as well.' })),
  include_imported: Type.Boolean({
    default: false,
    description: 'Add imported history for the days before the first hit; without effect under filters or a segment.',
  }),
}

export const intervalInput = OneOf(['auto', ...INTERVALS] as const, {
  default: 'auto', description: 'Length of a point; `auto` goes by the length of the period.',
})
