/**
 * Removes fields of an answer that the caller's limits hide, and empties amounts of money that are sums of several currencies. It runs
 * after the answer was checked against its schema.
 */
import type { TSchema } from '@sinclair/typebox'
import { concealed } from '../table/report-limits.ts'
import { isObject } from '../values/json.ts'
import type { Call } from './call.ts'

export function hideFields(call: Call): void {
  const hidden = call.caller?.limits?.hidden
  if (call.place.hasNoMoney && call.answer) {
    call.answer = { ...call.answer, data: withoutAmounts(call.answer.data, amountsIn(call.operation.output)) }
  }
  if (hidden && call.answer) call.answer = { ...call.answer, data: concealed(call.answer.data, hidden) }
}

/** @returns the answer with null for each amount, and for each change of an amount */
function withoutAmounts(value: unknown, amounts: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map(each => withoutAmounts(each, amounts))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      amounts.has(name) && (typeof each === 'number' || each === null) ? null : withoutAmounts(each, amounts),
    ]),
  )
}

const known = new WeakMap<TSchema, ReadonlySet<string>>()

/** The names of the fields of a schema that are amounts of money. */
function amountsIn(schema: TSchema): ReadonlySet<string> {
  let names = known.get(schema)
  if (!names) known.set(schema, (names = new Set(namesOf(schema))))
  return names
}

function namesOf(schema: TSchema): string[] {
  const fields = Object.entries<TSchema>(schema.properties ?? {})
  const own = fields.flatMap(([name, field]) => (field.unit === 'minor_units' ? [name] : []))
  const parts: readonly TSchema[] = [
    ...fields.map(([, field]) => field),
    ...(schema.items ? [schema.items as TSchema] : []),
    ...((schema.anyOf ?? []) as readonly TSchema[]),
    ...Object.values<TSchema>(schema.patternProperties ?? {}),
  ]
  return [...own, ...parts.flatMap(namesOf)]
}
