/**
 * Conditions as the rows of a form: a dimension, an operator and values, joined by and or or. The form leads to an address
 * with the conditions in it, so it works without scripts.
 */
import { metrics } from '../../storage/engine/vocabulary/metrics.ts'
import { isObject } from '../values/json.ts'
import { durationIn, durationText } from './duration-text.ts'

export interface FilterRow {
  readonly dimension: string
  readonly operator: string
  readonly values: readonly string[]
}
export interface FilterRows {
  readonly rows: readonly FilterRow[]
  /** Whether one of the rows is enough. */
  readonly isAny: boolean
}

/** Rows of a form. */
export const MAX_ROWS = 3
/** Values of a row. */
export const MAX_VALUES = 100
/** The name of a parameter in a row of the form: the first has none added. */
export const partName = (part: 'where' | 'which' | 'how' | 'what', row: number): string => (row === 0 ? part : `${part}_${row + 1}`)
const rows = [...Array(MAX_ROWS).keys()]

/** Parameters of the form: the key of a property in `which`, the place of the condition that is replaced in `instead`. */
export const conditionParts: readonly string[] = [
  ...(['where', 'which', 'how', 'what'] as const).flatMap(part => rows.map(row => partName(part, row))),
  'joined',
  'instead',
  'condition',
]

type Triple = readonly [dimension: string, operator: string, value: unknown]
/** A dimension for the values of a property, whose key is typed into a field of its own. */
export const PROPERTY = 'property'

/** Operators of the form by the operator of a condition, if a row has several values. */
const several: Readonly<Record<string, string>> = { is: 'any_of', is_not: 'none_of' }
const single: Readonly<Record<string, string>> = { any_of: 'is', none_of: 'is_not' }
const isNumeric = (operator: string): boolean => ['gt', 'lt', 'between'].includes(operator)
const parseNumber = (text: string): number | string => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text)

/** Numbers of visits that are durations: addresses have milliseconds, people type seconds and minutes. */
export const isDuration = (dimension: string): boolean =>
  Object.hasOwn(metrics, dimension) && metrics[dimension as keyof typeof metrics].unit === 'ms'
const formatValue = (dimension: string, value: unknown): string =>
  isDuration(dimension) && typeof value === 'number' ? durationText(value) : String(value)
const parseValue = (dimension: string, text: string): number | string =>
  (isDuration(dimension) ? durationIn(text) : undefined) ?? parseNumber(text)

/** The conditions that a row represents. Of those in one list, one is enough. */
function conditionsOf({ dimension, operator, values }: FilterRow): readonly Triple[] {
  const [first = ''] = values
  if (operator === 'between') return [[dimension, operator, values.slice(0, 2).map(value => parseValue(dimension, value))]]
  if (isNumeric(operator)) return [[dimension, operator, parseValue(dimension, first)]]
  if (values.length > 1 && several[operator] !== undefined) return [[dimension, several[operator], values]]
  return (values.length === 0 ? [''] : values).map(value => [dimension, operator, value])
}

/** Conditions for the `filters` of a report. */
export function conditionsFrom({ rows, isAny }: FilterRows): unknown[] {
  const all = rows.map(row => ({ row, conditions: conditionsOf(row) }))
  // Not one of several texts: each of these conditions holds.
  const mustAll = (operator: string): boolean => operator.startsWith('not_')
  if (isAny && rows.length > 1) return [{ any: all.flatMap(({ conditions }) => conditions) }]
  return all.flatMap(({ row, conditions }): readonly unknown[] =>
    conditions.length > 1 && !mustAll(row.operator) ? [{ any: conditions }] : conditions,
  )
}

const isTriple = (condition: unknown): condition is Triple =>
  Array.isArray(condition) && condition.length === 3 && typeof condition[0] === 'string' && typeof condition[1] === 'string'
const rowOf = ([dimension, operator, value]: Triple): FilterRow => ({
  dimension,
  operator: single[operator] ?? operator,
  values: (Array.isArray(value) ? value : [value]).map(each => formatValue(dimension, each)),
})

/** The rows of a form that a condition can be changed with; undefined if the form has no room for it. */
export function rowsOf(condition: unknown): FilterRows | undefined {
  if (isTriple(condition)) return { rows: [rowOf(condition)], isAny: false }
  if (!isObject(condition) || !Array.isArray(condition.any) || !condition.any.every(isTriple)) return undefined
  const found: FilterRow[] = []
  for (const row of condition.any.map(rowOf)) {
    const last = found.at(-1)
    if (last && last.dimension === row.dimension && last.operator === row.operator && !isNumeric(row.operator))
      found[found.length - 1] = { ...last, values: [...last.values, ...row.values] }
    else found.push(row)
  }
  return found.length > MAX_ROWS ? undefined : { rows: found, isAny: found.length > 1 }
}

/** The conditions that the form has sent, and the place of the one that they replace; undefined if it has sent none. */
export function sentRows({
  searchParams,
}: URL): { readonly conditions: readonly unknown[]; readonly instead: number | undefined } | undefined {
  const sent = rows.flatMap((row): FilterRow[] => {
    const [where = '', which = ''] = (['where', 'which'] as const).map(part => searchParams.get(partName(part, row)) ?? '')
    const values = searchParams
      .getAll(partName('what', row))
      .map(value => value.trim())
      .filter((value, i, all) => all.indexOf(value) === i && (value !== '' || all.length === 1))
      .slice(0, MAX_VALUES)
    const isLeft = where === '' || values.length === 0 || (row > 0 && values.every(value => value === ''))
    if (isLeft) return []
    const dimension = where === PROPERTY ? `${PROPERTY}:${which.trim()}` : where
    return [{ dimension, operator: searchParams.get(partName('how', row)) || 'is', values }]
  })
  if (sent.length === 0) return undefined
  const instead = searchParams.get('instead') ?? ''
  const conditions = conditionsFrom({ rows: sent, isAny: searchParams.get('joined') === 'any' })
  return { conditions, instead: /^\d{1,2}$/.test(instead) ? Number(instead) : undefined }
}
