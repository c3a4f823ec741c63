/**
 * Keeps only the fields of an answer that the caller asks for. Every read takes `fields`, although none declares it: dotted paths
 * from `data`, through lists, such as `rows.value`. `fields=rows.value,rows.visitors` and repeated parameters are the same.
 */
import type { TSchema } from '@sinclair/typebox'
import type { Fault } from '../table/errors.ts'
import { fieldAt } from '../table/fault-message.ts'
import type { NamedOperation } from '../table/table.ts'
import { clipped } from '../values/clip.ts'
import { isObject } from '../values/json.ts'
import type { Call, Chosen, Given } from './call.ts'
import { m } from './messages.ts'

type Growing = Map<string, Growing | null>

const MAX_FIELDS = 50
const MAX_LENGTH = 200

/** Kinds of answers with fields. */
const keptIn: ReadonlySet<string> = new Set(['record', 'list', 'report'])

/** Whether the operation takes `fields` in addition to its own input. */
export const takesFields = ({ effect, answers, input, wireFormat }: NamedOperation): boolean =>
  effect === 'read' && keptIn.has(answers.kind) && wireFormat === undefined && !Object.hasOwn(input.properties, 'fields')

/** Takes `fields` out of the input. */
export function withoutFields(operation: NamedOperation, given: Given): { asked: unknown; rest: Given } {
  if (given.fields === undefined || !takesFields(operation)) return { asked: undefined, rest: given }
  const { fields, ...rest } = given
  return { asked: fields, rest }
}

/** @returns the fields to keep, or the faults of what was asked for */
export function chosenFields(operation: NamedOperation, asked: unknown): { chosen: Chosen | undefined; faults: Fault[] } {
  const paths = listOf(asked)
  if (!Array.isArray(paths) || !paths.every(path => typeof path === 'string') || paths.length > MAX_FIELDS) {
    return { chosen: undefined, faults: [{ pointer: '/fields', code: 'invalid_type', message: m.fields_are_paths({ most: MAX_FIELDS }) }] }
  }
  const chosen: Growing = new Map()
  const faults: Fault[] = []
  for (const [i, path] of paths.entries()) {
    const names = path.trim().slice(0, MAX_LENGTH).split('.')
    const unknown = unknownIn(operation.output, names)
    if (unknown) {
      const params = { field: fieldAt(`/fields/${i}`), received: JSON.stringify(clipped(path, 80)), names: unknown }
      faults.push({ pointer: `/fields/${i}`, code: 'not_in_enum', message: m.no_such_field(params) })
    } else choose(chosen, names)
  }
  return { chosen: chosen.size > 0 ? chosen : undefined, faults }
}

/** `a,b`, a JSON list, or several parameters of these. */
function listOf(asked: unknown): unknown {
  if (typeof asked === 'string') return asked.startsWith('[') ? parsed(asked) : asked.split(',')
  return Array.isArray(asked) ? asked.flatMap(listOf) : asked
}
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The names that are known where a path leads astray; undefined if it does not. */
function unknownIn(schema: TSchema, [name, ...others]: readonly string[]): readonly string[] | undefined {
  if (name === undefined) return undefined
  const fields = new Map(fieldsIn(schema))
  const own = fields.get(name) ?? fields.get(ANY)
  return own === undefined ? [...fields.keys()].filter(each => each !== ANY) : unknownIn(own, others)
}

/** Instead of a name: every name. */
const ANY = '*'

/** The fields of an object, or of the objects in a list. */
function fieldsIn(schema: TSchema): [string, TSchema][] {
  return [
    ...Object.entries<TSchema>(schema.properties ?? {}),
    ...Object.values<TSchema>(schema.patternProperties ?? {}).map((each): [string, TSchema] => [ANY, each]),
    ...(schema.items ? fieldsIn(schema.items as TSchema) : []),
    ...((schema.anyOf ?? []) as readonly TSchema[]).flatMap(fieldsIn),
    ...((schema.allOf ?? []) as readonly TSchema[]).flatMap(fieldsIn),
  ]
}

function choose(into: Growing, [name, ...others]: readonly string[]): void {
  if (name === undefined) return
  const known = into.get(name)
  if (others.length === 0 || known === null) {
    into.set(name, null)
    return
  }
  const inner: Growing = known ?? new Map()
  into.set(name, inner)
  choose(inner, others)
}

export function keepFields(call: Call): void {
  if (call.fields && call.answer) call.answer = { ...call.answer, data: kept(call.answer.data, call.fields) }
}

function kept(value: unknown, chosen: Chosen | null): unknown {
  if (chosen === null) return value
  if (Array.isArray(value)) return value.map(each => kept(each, chosen))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => {
      const inner = chosen.get(name)
      return inner === undefined ? [] : [[name, kept(each, inner)]]
    }),
  )
}
