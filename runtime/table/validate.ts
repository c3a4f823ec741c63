/** Validates a value against a schema, and reports all faults in the API's terms. */
import type { TObject, TSchema } from '@sinclair/typebox'
import { compiledCheck, matches } from '../values/matches.ts'
import { escaped } from '../values/pointer.ts'
import { type Fault, maxFaults } from './errors.ts'
import { describe, leaves, fieldAt } from './fault-message.ts'
import { m } from './messages.ts'
import { cleanedBy, defaultOf } from './schema.ts'

/**
 * The faults of the value, one for each place, up to the limit; empty if it is valid. Values of secret fields are not
 * quoted. TypeBox finds faults lazily, so the search ends at the limit.
 */
export function faultsOf(schema: TSchema, value: unknown, secrets: readonly string[] = []): Fault[] {
  if (matches(schema, value)) return []
  const faults = new Map<string, Fault>()
  for (const error of compiledCheck(schema).Errors(value)) {
    for (const leaf of leaves(error)) {
      if (!faults.has(leaf.path)) faults.set(leaf.path, describe(leaf, secrets))
      if (faults.size === maxFaults) return [...faults.values()]
    }
  }
  return [...faults.values()]
}

/**
 * A check that a schema cannot express, of a value that matches the schema.
 * @param pointer of the value
 * @param others the other fields of the input by name, possibly invalid
 */
export type Check = (value: unknown, pointer: string, others: Readonly<Record<string, unknown>>) => readonly Fault[]

/**
 * Marks a schema with its own check, which the operation runs as well. It runs here only if the schemas find faults
 * elsewhere, so that one answer has all faults of an input.
 */
export const checkedBy = Symbol('check')
declare module '@sinclair/typebox' {
  interface SchemaOptions {
    [checkedBy]?: Check
  }
}

/** Runs the checks of fields that match their schemas. */
export function checkFaults(
  fields: Readonly<Record<string, TSchema>>,
  value: Readonly<Record<string, unknown>>,
  known: readonly Fault[],
): Fault[] {
  const faults: Fault[] = []
  for (const name in fields) {
    const own = fields[name]?.[checkedBy] as Check | undefined
    const pointer = `/${name}`
    if (faults.length >= maxFaults) break
    if (!own || value[name] === undefined || known.some(fault => `${fault.pointer}/`.startsWith(`${pointer}/`))) continue
    faults.push(...own(value[name], pointer, value))
  }
  return faults.filter(({ pointer }) => !known.some(fault => fault.pointer === pointer))
}

interface TextFaults {
  readonly value: unknown
  readonly judged: ReadonlySet<string>
  readonly pointer?: string | undefined
  readonly found?: Fault[] | undefined
}

/**
 * Finds texts that no database stores unchanged: with NUL (Postgres refuses it) or with lone surrogates.
 * @param judged places that already have a fault, which are skipped
 */
export function textFaults({ value, judged, pointer = '', found = [] }: TextFaults): readonly Fault[] {
  if (found.length >= maxFaults || judged.has(pointer)) return found
  if (typeof value === 'string') {
    if (/[\0\p{Cs}]/u.test(value)) found.push({ pointer, code: 'invalid_format', message: m.ill_formed({ field: fieldAt(pointer) }) })
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) textFaults({ value: inner, judged, pointer: `${pointer}/${escaped(key)}`, found })
  }
  return found
}

/** Adds defaults to the input. Undeclared keys are dropped and returned. */
export function withDefaults(
  schema: TObject,
  given: Readonly<Record<string, unknown>>,
): { input: Record<string, unknown>; unknown: string[] } {
  const input: Record<string, unknown> = {}
  for (const [key, property] of Object.entries(schema.properties)) {
    const value = Object.hasOwn(given, key) ? given[key] : undefined
    if (value !== undefined) input[key] = typeof value === 'string' ? cleaned(property, value) : value
    else {
      const usual = defaultOf(property, given)
      if (usual !== undefined) input[key] = structuredClone(usual)
    }
  }
  return { input, unknown: Object.keys(given).filter(key => !Object.hasOwn(schema.properties, key)) }
}

/** Longer text is not a name, and is refused as it is. */
const MAX_CLEANED_LENGTH = 10_000

function cleaned(schema: TSchema, text: string): string {
  if (text.length > MAX_CLEANED_LENGTH) return text
  const variants: readonly TSchema[] = schema.anyOf ?? [schema]
  const clean = variants.find(variant => variant[cleanedBy])?.[cleanedBy]
  return clean ? clean(text) : text
}
