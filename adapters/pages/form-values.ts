/**
 * A sent form as the input that it means. A control is called by the JSON pointer of what it fills (`/steps/0/kind`), so
 * that a fault, which has a pointer too, finds its control.
 */
import type { TObject, TSchema } from '@sinclair/typebox'
import { fail } from '../../runtime/table/errors.ts'
import { bare } from '../../runtime/ui/cell.tsx'
import { isCondition } from '../../runtime/ui/conditions.ts'
import { emptiedField } from '../../runtime/ui/fields/control-props.ts'
import { isPairs, pairsIn } from '../../runtime/ui/fields/pairs.tsx'
import { fromWallClock, minorDigits } from '../../runtime/ui/format.ts'
import { m } from './messages.ts'

export interface Meaning {
  /** Whether a record is changed. Then an empty control clears its field; in a new record, the field is omitted. */
  readonly changes: boolean
  /** Fields of the record as it is shown: what it does not show and is left empty stays as it is. */
  readonly shown: ReadonlySet<string>
  /** Zone that times are typed in. */
  readonly timezone: string
  /** Currency that amounts are typed in. */
  readonly currency: string
  /** Items of lists that are not filled in stay, as a form that is drawn again shows them. */
  readonly keepsBlanks?: boolean
}

/** Fields that are emptied so. */
export const emptiedIn = ({ properties }: TObject, form: URLSearchParams): Record<string, null> =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([name, schema]) => form.get(emptiedField(name)) === 'true' && bare(schema).clearable)
      .map(([name]) => [name, null]),
  )

interface Node {
  readonly values: string[]
  readonly parts: Map<string, Node>
}

const maxControls = 5_000
const maxLevels = 8

/** @throws Failure `invalid_json` for more controls than any form of ours has */
export function decodeForm(schema: TObject, form: URLSearchParams, meaning: Meaning): Record<string, unknown> {
  const root: Node = { values: [], parts: new Map() }
  if (form.size > maxControls) fail('invalid_json', m.too_many_fields({ most: maxControls }))
  for (const [pointer, value] of form) {
    if (!pointer.startsWith('/')) continue
    let node = root
    const path = pointer.slice(1).split('/')
    if (path.length > maxLevels) fail('invalid_json', m.too_deep())
    for (const part of path) {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
      let next = node.parts.get(name)
      if (!next) node.parts.set(name, (next = { values: [], parts: new Map() }))
      node = next
    }
    node.values.push(value)
  }
  const fields: [string, unknown][] = []
  for (const [name, property] of Object.entries(schema.properties)) {
    const node = root.parts.get(name)
    if (!node) continue
    const isNeeded = schema.required?.includes(name) === true && property.default === undefined
    const value = decode({
      given: property,
      node,
      meaning,
      empty: meaning.changes && meaning.shown.has(name) ? 'clear' : isNeeded ? 'need' : 'omit',
    })
    if (value !== undefined) fields.push([name, value])
  }
  return Object.fromEntries(fields)
}

/** Meaning of an empty control: the field is omitted, cleared, or missing although it is required. */
type Empty = 'omit' | 'clear' | 'need'

interface Decode {
  readonly given: TSchema
  readonly node: Node
  readonly meaning: Meaning
  readonly empty: Empty
}

function decode({ given, node, meaning, empty }: Decode): unknown {
  const { schema, clearable } = bare(given)
  const last = node.values.at(-1) ?? ''
  if (schema.type === 'boolean') return last === '' ? undefined : last === 'true'
  if (schema.type === 'array') return decodeList(schema, { node, meaning, empty, clearable })
  if (isPairs(schema)) return pairsIn(last) ?? (empty === 'clear' ? {} : undefined)
  if (schema.type === 'object') return decodeObject(schema, { node, meaning, empty })
  if (last === '') return empty === 'omit' ? undefined : clearable ? null : empty === 'clear' ? '' : undefined
  if (schema.type === 'integer' || schema.type === 'number') {
    if (!/^-?\d+([.,]\d+)?$/.test(last.trim())) return last
    const typed = Number(last.trim().replace(',', '.'))
    return schema.unit === 'minor_units' ? minorUnits(typed, meaning.currency) : typed
  }
  if (schema.format === 'date-time') return /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(last) ? fromWallClock(last, meaning.timezone) : last
  return last.replaceAll('\r\n', '\n')
}

/** 12.34 → 1234; what is finer than the currency stays so, and is refused as no whole number. */
const minorUnits = (amount: number, currency: string): number => Number((amount * 10 ** minorDigits(currency)).toFixed(4))

interface DecodeList {
  readonly node: Node
  readonly meaning: Meaning
  readonly empty: Empty
  readonly clearable: boolean
}

function decodeList(schema: TSchema, { node, meaning, empty, clearable }: DecodeList): unknown {
  const items: TSchema = schema.items ?? {}
  const nothing = () => (empty === 'omit' ? undefined : clearable && empty === 'clear' ? null : [])
  if (node.parts.size > 0) {
    const parts = [...node.parts].flatMap(([name, part]) => (name === '-' ? [] : [part]))
    const all = parts.map(part => decodeItem(items, part, meaning) ?? null)
    const made = meaning.keepsBlanks === true ? all : all.filter(item => item !== null)
    return made.length === 0 ? nothing() : made
  }
  const texts = items.enum || node.values.length > 1 ? node.values : node.values.flatMap(text => text.split(/\r?\n/))
  const kept = texts.map(text => text.trim()).filter(text => text !== '')
  if (kept.length === 0) return nothing()
  return kept.map(text => (items.type === 'integer' || items.type === 'number' ? Number(text) : text))
}

/** Undefined if nothing was typed into any of its controls. */
function decodeItem(items: TSchema, node: Node, meaning: Meaning): unknown {
  if (items.type === 'object') {
    return [...leaves(node)].some(text => text !== '')
      ? decodeObject(items, { node, meaning: { ...meaning, changes: false }, empty: 'omit' })
      : undefined
  }
  if (isCondition(items)) {
    const whole = node.values.at(-1)
    if (whole !== undefined && whole !== '') return parsed(whole)
    const [dimension = '', operator = '', value = ''] = ['0', '1', '2'].map(index => node.parts.get(index)?.values.at(-1) ?? '')
    if (dimension === '' && value === '') return undefined
    return [dimension, operator || 'is', takesSeveral(operator) ? value.split(',').map(text => text.trim()) : value]
  }
  const [text = ''] = node.values
  return text === '' ? undefined : text
}

const takesSeveral = (operator: string): boolean => operator === 'any_of' || operator === 'none_of' || operator === 'between'

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function* leaves(node: Node): Generator<string> {
  yield* node.values
  for (const part of node.parts.values()) yield* leaves(part)
}

function decodeObject(schema: TSchema, { node, meaning, empty }: { node: Node; meaning: Meaning; empty: Empty }): unknown {
  const fields: [string, unknown][] = []
  for (const [name, property] of Object.entries<TSchema>(schema.properties ?? {})) {
    const part = node.parts.get(name)
    const value = part && decode({ given: property, node: part, meaning, empty: empty === 'clear' ? 'omit' : empty })
    if (value !== undefined) fields.push([name, value])
  }
  return fields.length === 0 && empty === 'omit' ? undefined : Object.fromEntries(fields)
}
