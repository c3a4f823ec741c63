/** Values as controls show them: what a form sends untouched is the same, however the record has it. */
import type { TSchema } from '@sinclair/typebox'
import { type Drawn, digestsOf } from '../call/form-digests.ts'
import { isObject } from '../values/json.ts'
import type { NamedOperation } from '../table/table.ts'
import { bare } from './cell.tsx'
import { isCondition } from './conditions.ts'
import { wallClock } from './format.ts'

type Fields = Readonly<Record<string, unknown>>

interface AsControl {
  readonly name: string
  readonly given: TSchema
  readonly value: unknown
  readonly timezone: string
}

/** @param timezone that times are shown in */
export function asControl({ name, given, value, timezone }: AsControl): unknown {
  const { schema } = bare(given)
  if (typeof value === 'string' && schema.format === 'date-time' && !Number.isNaN(Date.parse(value)))
    return wallClock(Date.parse(value), timezone)
  if (Array.isArray(value)) {
    const items: TSchema = schema.items ?? {}
    if (isCondition(items)) return value.map(asTexts)
    const shown = value.map(item => asControl({ name: '', given: items, value: item, timezone }))
    // Choices are sent in the order of their boxes.
    return items.enum || /_ids$/.test(name) ? shown.map(String).toSorted() : shown
  }
  if (!isObject(value) || !schema.properties) return value
  const fields = Object.entries<TSchema>(schema.properties).filter(([field]) => Object.hasOwn(value, field))
  return Object.fromEntries(
    fields.map(([field, property]) => [field, asControl({ name: field, given: property, value: value[field], timezone })]),
  )
}

/** The parts of a condition are typed. */
const asTexts = (value: unknown): unknown => (Array.isArray(value) ? value.map(asTexts) : isObject(value) ? value : String(value))

/** By the schemas of an operation's inputs. */
export const shownBy =
  ({ input }: NamedOperation, timezone: string) =>
  (name: string, value: unknown): unknown => {
    const schema: TSchema | undefined = Object.hasOwn(input.properties, name) ? input.properties[name] : undefined
    return schema ? asControl({ name, given: schema, value, timezone }) : value
  }

/** The values that a form is drawn from; secrets are never shown, and sent only if they are typed. */
export function drawnFor(operation: NamedOperation, values: Fields, timezone: string): Drawn {
  const shown = shownBy(operation, timezone)
  const names = Object.keys(operation.input.properties).filter(name => !operation.secrets.includes(name))
  return digestsOf(Object.fromEntries(names.map(name => [name, shown(name, values[name])])))
}
