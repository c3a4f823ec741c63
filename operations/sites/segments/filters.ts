/** Parses the `filters` parameter and collects every fault, each with the accepted values. */
import { fieldAt } from '../../../runtime/table/fault-message.ts'
import type { DetailCode, Fault } from '../../../runtime/table/errors.ts'
import { FILTERS_KNOWN, isFilterable } from '../../../storage/engine/vocabulary/dimensions.ts'
import { LIMITS, storedPath, text as storedText } from '../collection/index.ts'
import type { Condition, Test } from '../../../storage/engine/vocabulary/scope.ts'
import { isStray, likelyOperator, likelyValues } from './likely-values.ts'
import {
  isOperator,
  type Operator,
  numberOf,
  type Operand,
  MAX_STATES,
  operatorNames,
  operators,
  sense,
  statesOf,
} from '../../../storage/engine/vocabulary/operators.ts'
import { composed } from '../../../storage/values/composed.ts'
import type { Message, MessageValue } from '../../../runtime/texts/message.ts'
import { isObject } from '../../../runtime/values/json.ts'
import { m } from './messages.ts'
import { patternMessage, patternsTooLarge } from '../channel-rules/index.ts'

export const FILTER_LIMITS = Object.freeze({ conditions: 50, value: LIMITS.value, values: 500, depth: 3 })
const MAX_FAULTS = 100

export interface ParsedFilters {
  readonly conditions: readonly Condition[]
  readonly faults: readonly Fault[]
  /** Total size of the patterns, with those before. */
  readonly states: number
}

/**
 * @param pointer of the list in the input, for example `/filters`
 * @param states total size of patterns that share the limit with these
 */
export function parseFilters(given: unknown, pointer = '/filters', states = 0): ParsedFilters {
  const reading = new Reading(states)
  const conditions = reading.list(given, pointer, 1)
  if (reading.tests > FILTER_LIMITS.conditions) {
    const params = { field: fieldAt(pointer), most: FILTER_LIMITS.conditions, received: reading.tests }
    reading.fault(pointer, 'too_many_items', m.too_many_conditions_in_all(params))
  }
  return { conditions, faults: reading.faults.slice(0, MAX_FAULTS), states: reading.states }
}

interface TestedValue {
  readonly dimension: unknown
  readonly operator: Operator
  readonly pointer: string
}

interface TestedOperand {
  readonly operand: Operand
  readonly operator: string
  readonly pointer: string
}

const isBlank = (value: string | number): boolean => value === '' || value === '(not set)'

/**
 * A condition on a missing property. Hits without a property have no value of it to compare, so it asks if a hit has any: without
 * one, the visit lacks the property.
 */
function onMissing({ dimension, operator, values, pointer }: Test): Condition {
  const { negated } = sense(operator)
  const others = values.filter(value => !isBlank(value))
  const blank: Test = { dimension, operator: negated ? 'regex' : 'not_regex', values: ['(?s).'], pointer }
  if (others.length === 0) return blank
  const named: Test = { dimension, operator: negated ? 'none_of' : 'any_of', values: others.map(inStoredForm), pointer }
  return negated ? { all: [blank, named] } : { any: [named, blank] }
}

class Reading {
  readonly faults: Fault[] = []
  tests = 0

  /** @param states of all patterns so far */
  constructor(public states: number) {}

  /** Adds a fault and returns undefined, so that parsing continues with the other conditions. */
  fault(pointer: string, code: DetailCode, message: Message): undefined {
    if (this.faults.length <= MAX_FAULTS) this.faults.push({ pointer, code, message })
    return undefined
  }

  list(given: unknown, pointer: string, depth: number): Condition[] {
    if (!Array.isArray(given)) {
      this.fault(pointer, 'invalid_type', m.no_list({ field: fieldAt(pointer), form: m.form(), received: shown(given) }))
      return []
    }
    if (given.length > FILTER_LIMITS.conditions) {
      const params = { field: fieldAt(pointer), most: FILTER_LIMITS.conditions, received: given.length }
      this.fault(pointer, 'too_many_items', m.too_many_conditions(params))
      return []
    }
    const conditions = isBare(given) ? [given] : given
    return conditions.map((one, i) => this.condition(one, `${pointer}/${i}`, depth)).filter(one => one !== undefined)
  }

  condition(given: unknown, pointer: string, depth: number): Condition | undefined {
    if (Array.isArray(given)) return this.test(given, pointer)
    const [[how, list] = ['', undefined], ...more] = isObject(given) ? Object.entries(given) : []
    if ((how !== 'any' && how !== 'all') || more.length > 0) {
      return this.fault(pointer, 'invalid_type', m.no_condition({ field: fieldAt(pointer), form: m.form(), received: shown(given) }))
    }
    if (depth >= FILTER_LIMITS.depth) {
      return this.fault(pointer, 'too_large', m.too_deep({ field: fieldAt(pointer), most: FILTER_LIMITS.depth }))
    }
    if (Array.isArray(list) && list.length === 0) {
      return this.fault(`${pointer}/${how}`, 'too_short', m.no_conditions({ field: fieldAt(`${pointer}/${how}`) }))
    }
    const conditions = this.list(list, `${pointer}/${how}`, depth + 1)
    return how === 'any' ? { any: conditions } : { all: conditions }
  }

  test(given: readonly unknown[], pointer: string): Condition | undefined {
    this.tests++
    if (given.length !== 3) {
      return this.fault(
        pointer,
        given.length < 3 ? 'too_short' : 'too_many_items',
        m.not_three_parts({ field: fieldAt(pointer), count: given.length }),
      )
    }
    const [dimension, sign, value] = given
    const operator = likelyOperator(sign, value)
    const known = typeof dimension === 'string' && isFilterable(dimension)
    if (!known) {
      const params = { field: fieldAt(`${pointer}/0`), known: FILTERS_KNOWN, received: shown(dimension) }
      this.fault(`${pointer}/0`, 'not_in_enum', m.not_one_of(params))
    }
    if (typeof operator !== 'string' || !isOperator(operator)) {
      const params = { field: fieldAt(`${pointer}/1`), known: operatorNames, received: shown(operator) }
      return this.fault(`${pointer}/1`, 'not_in_enum', m.not_one_of(params))
    }
    const { operand } = operators[operator]
    const values = this.operand(value, { operand, pointer: `${pointer}/2`, operator })?.flatMap(each =>
      this.values(each, { dimension, operator, pointer: `${pointer}/2` }),
    )
    if (!known || !values) return undefined
    if (dimension.startsWith('property:') && exact.has(operator) && values.some(isBlank))
      return onMissing({ dimension, operator, values, pointer })
    return { dimension, operator, values: exact.has(operator) ? formsOf(dimension, values) : values.map(inStoredForm), pointer }
  }

  values(given: string | number, { dimension, operator, pointer }: TestedValue): readonly (string | number)[] {
    if (typeof given !== 'string' || typeof dimension !== 'string') return [given]
    const values = likelyValues(dimension, operator, given)
    for (const value of values) {
      if (isStray(dimension, operator, value))
        this.fault(pointer, 'not_in_enum', m.no_country({ field: fieldAt(pointer), received: shown(given) }))
    }
    return values
  }

  operand(value: unknown, { operand, pointer, operator }: TestedOperand): (string | number)[] | undefined {
    if (operand === 'texts') return this.texts(value, pointer, operator)
    if (operand === 'range') return this.range(value, pointer, operator)
    if (operand === 'number') return all([this.number(value, pointer, operator)])
    const text = this.text(value, pointer, operator)
    const wrong = operand === 'pattern' && text !== undefined ? this.pattern(text, fieldAt(pointer)) : null
    if (wrong !== null) return this.fault(pointer, 'invalid_format', wrong)
    if (operand === 'text' && text === '' && !['is', 'is_not'].includes(operator)) {
      return this.fault(pointer, 'too_short', m.empty_text({ field: fieldAt(pointer), operator }))
    }
    return all([text])
  }

  /** Limits the total size of all patterns to the maximum size of one pattern. */
  pattern(text: string, field: MessageValue): Message | null {
    this.states += statesOf(text)
    if (statesOf(text) <= MAX_STATES && this.states > MAX_STATES) return patternsTooLarge(field)
    return patternMessage(text, field)
  }

  texts(value: unknown, pointer: string, operator: string): string[] | undefined {
    if (!Array.isArray(value)) {
      return this.fault(pointer, 'invalid_type', m.no_texts({ field: fieldAt(pointer), operator, received: shown(value) }))
    }
    if (value.length === 0) return this.fault(pointer, 'too_short', m.no_values({ field: fieldAt(pointer) }))
    if (value.length > FILTER_LIMITS.values) {
      const params = { field: fieldAt(pointer), most: FILTER_LIMITS.values, received: value.length }
      return this.fault(pointer, 'too_many_items', m.too_many_values(params))
    }
    return all(value.map((one, i) => this.text(one, `${pointer}/${i}`, operator)))
  }

  range(value: unknown, pointer: string, operator: string): number[] | undefined {
    if (!Array.isArray(value) || value.length !== 2) {
      return this.fault(pointer, 'invalid_type', m.no_range({ field: fieldAt(pointer), operator, received: shown(value) }))
    }
    const bounds = all(value.map((one, i) => this.number(one, `${pointer}/${i}`, operator)))
    const [min = 0, max = 0] = bounds ?? []
    if (min <= max) return bounds
    return this.fault(pointer, 'mismatch', m.range_reversed({ field: fieldAt(pointer), least: min, most: max }))
  }

  text(value: unknown, pointer: string, operator: string): string | undefined {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
      const say = Array.isArray(value) ? m.list_for_text : m.no_text
      return this.fault(pointer, 'invalid_type', say({ field: fieldAt(pointer), operator, received: shown(value) }))
    }
    const text = String(value)
    if (text.length <= FILTER_LIMITS.value) return text
    const params = { field: fieldAt(pointer), most: FILTER_LIMITS.value, received: text.length }
    return this.fault(pointer, 'too_long', m.text_too_long(params))
  }

  number(value: unknown, pointer: string, operator: string): number | undefined {
    const number = typeof value === 'string' ? numberOf(value.trim()) : value
    if (typeof number === 'number' && Number.isFinite(number)) return number
    return this.fault(pointer, 'invalid_type', m.no_number({ field: fieldAt(pointer), operator, received: shown(value) }))
  }
}

/** Operators that compare whole values. */
const exact: ReadonlySet<string> = new Set<Operator>(['is', 'is_not', 'any_of', 'none_of'])
const inStoredForm = (part: string | number) => (typeof part === 'string' ? composed(part) : part)
const pages: ReadonlySet<string> = new Set(['page', 'entry_page', 'exit_page', 'url'])

/** Returns values as given and, if it differs, in the form in which hits are stored. Names of goals are not normalized. */
function formsOf(dimension: string, values: readonly (string | number)[]): (string | number)[] {
  if (dimension === 'goal') return [...values]
  const stored = pages.has(dimension) ? storedPath : storedText
  return [...new Set(values.flatMap(value => [value, typeof value === 'string' ? stored(value) : value]))]
}

/** Whether it is a single condition without the brackets of the list. */
const isBare = (given: readonly unknown[]): boolean =>
  given.length === 3 && typeof given[0] === 'string' && isFilterable(given[0]) && typeof given[1] === 'string'

/** Returns the items, unless one of them is undefined. */
function all<T>(items: readonly (T | undefined)[]): T[] | undefined {
  const known = items.filter((item): item is Exclude<typeof item, undefined> => item !== undefined)
  return known.length === items.length ? known : undefined
}

/** For example `filters.0.2`. */

function shown(value: unknown): string | Message {
  if (Array.isArray(value)) return m.a_list({ count: value.length })
  if (typeof value === 'object' && value !== null) return m.an_object()
  const text = JSON.stringify(value)
  if (text === undefined) return m.nothing()
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}
