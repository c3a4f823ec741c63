/** Operators of filters. A negative operator keeps exactly the visits that its positive form would not. */
import { re2 } from './re2.ts'

/** The type of an operator's operand. */
export type Operand = 'text' | 'texts' | 'pattern' | 'number' | 'range'

interface OperatorRow {
  readonly operand: Operand
  /** The operator that this one negates. */
  readonly not?: Positive
  readonly description: string
}

export const operators = {
  is: { operand: 'text', description: 'Exactly this value' },
  is_not: { operand: 'text', not: 'is', description: 'Not this value' },
  any_of: { operand: 'texts', description: 'One of these values' },
  none_of: { operand: 'texts', not: 'any_of', description: 'None of these values' },
  contains: { operand: 'text', description: 'Contains this text, in any case' },
  not_contains: { operand: 'text', not: 'contains', description: 'Does not contain this text, in any case' },
  starts_with: { operand: 'text', description: 'Begins with this text, in any case' },
  regex: { operand: 'pattern', description: 'Matches this RE2 pattern somewhere' },
  not_regex: { operand: 'pattern', not: 'regex', description: 'Matches this RE2 pattern nowhere' },
  gt: { operand: 'number', description: 'A number greater than this; values that are not numbers never are' },
  lt: { operand: 'number', description: 'A number less than this; values that are not numbers never are' },
  between: { operand: 'range', description: 'A number from the first to the second, both included' },
} as const satisfies Record<string, OperatorRow>

export type Operator = keyof typeof operators
type Positive = 'is' | 'any_of' | 'contains' | 'regex'
export const operatorNames = Object.keys(operators) as Operator[]

export const isOperator = (name: string): name is Operator => Object.hasOwn(operators, name)

/** The positive form of an operator, and whether it is negated. */
export function sense(operator: Operator): { positive: Operator; negated: boolean } {
  const row: OperatorRow = operators[operator]
  return row.not ? { positive: row.not, negated: true } : { positive: operator, negated: false }
}

/** Runs once for every distinct value of a dictionary, never for a row. */
export function predicate(operator: Operator, values: readonly (string | number)[]): (value: string) => boolean {
  const { positive } = sense(operator)
  const [first = '', second = ''] = values
  switch (positive) {
    case 'is':
    case 'any_of': {
      const wanted = new Set(values.map(String))
      return value => wanted.has(value)
    }
    case 'contains': {
      const part = String(first).toLowerCase()
      return value => value.toLowerCase().includes(part)
    }
    case 'starts_with': {
      const start = String(first).toLowerCase()
      return value => value.toLowerCase().startsWith(start)
    }
    case 'regex': {
      const pattern = re2().compile(String(first))
      return value => pattern.test(value)
    }
    case 'gt':
      return value => numberOf(value) > Number(first)
    case 'lt':
      return value => numberOf(value) < Number(first)
    case 'between':
      return value => numberOf(value) >= Number(first) && numberOf(value) <= Number(second)
    default:
      throw new Error(`${positive} is not a positive operator`)
  }
}

/** A value as a decimal number; NaN for `1.2.3`, `0x10` and other text. */
export function numberOf(value: string): number {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(value) ? Number(value) : Number.NaN
}

/** Limit for a pattern's length times its counted repetitions, and for all patterns of a filter together. */
export const MAX_STATES = 20_000
/** Weight of a Unicode class beyond its letters, because compiling one takes longer, and longer still ignoring case. */
const CLASS_STATES = { asWritten: 20, inAnyCase: 100 }

/** More than `MAX_STATES`, or no RE2 pattern: `why` is the compiler's English. */
export type PatternFault = { readonly code: 'too_large' } | { readonly code: 'no_pattern'; readonly why: string }

/**
 * Why a pattern is refused; null if it is not. RE2 bounds time by the size of the compiled pattern, but limits that
 * size only by 1,000 repetitions each: repeating `(.{0,999}){1}` often enough still fills the memory.
 */
export function patternFault(pattern: string, most = MAX_STATES): PatternFault | null {
  if (statesOf(pattern) > most) return { code: 'too_large' }
  try {
    re2().compile(pattern)
    return null
  } catch (error) {
    return { code: 'no_pattern', why: error instanceof Error ? error.message : String(error) }
  }
}

/** Estimated size when compiled. */
export function statesOf(pattern: string): number {
  let repeated = 1
  for (const [, min = '0', max = ''] of pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) repeated += Number(max || min)
  const classes = pattern.match(/\\p/gi)?.length ?? 0
  const each = /\(\?[a-z]*i/i.test(pattern) ? CLASS_STATES.inAnyCase : CLASS_STATES.asWritten
  return (pattern.length + classes * each) * repeated
}
