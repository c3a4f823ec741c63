/** Reads the input and reports all of its faults at once. */
import type { TSchema } from '@sinclair/typebox'
import { refuseManyFields, withinBounds } from './input-bounds.ts'
import { clipped } from '../values/clip.ts'
import { failWith, type Fault, maxFaults } from '../table/errors.ts'
import { anonymous, fingerprinted, idempotencyKey, isRepeatable } from './idempotency-keys.ts'
import { escaped } from '../values/pointer.ts'
import { limitFaults } from '../table/report-limits.ts'
import { convertArgument } from './convert-argument.ts'
import { withoutBlanks } from './blank-arguments.ts'
import { nearest } from '../values/nearest.ts'
import { narrowed } from '../table/schema.ts'
import type { NamedOperation, Table } from '../table/table.ts'
import { checkFaults, faultsOf, textFaults, withDefaults } from '../table/validate.ts'
import { matches } from '../values/matches.ts'
import type { Call, Given } from './call.ts'
import { chosenFields, withoutFields } from './chosen-fields.ts'
import { fieldTerm, Message, type Sentence } from '../texts/message.ts'
import { m } from './messages.ts'

/** Characters of an unknown name that are repeated to the caller. */
const maxNameLength = 80

/** @throws Failure 413, 415, 422: from the adapter, or for more fields than any operation has */
export function readInput(call: Call): Promise<void> | void {
  const given = call.request.input()
  return given instanceof Promise ? given.then(read => take(call, read)) : take(call, given)
}

function take(call: Call, given: Given): void {
  refuseManyFields(given)
  const { asked, rest } = withoutFields(call.operation, given)
  call.asksFields = asked
  const { input, unknown } = withDefaults(call.operation.input, call.request.completes === true ? convertedArguments(call, rest) : rest)
  call.input = input
  call.unknown = unknown
}

/** The arguments as they are meant; path parameters that name no subject too. */
function convertedArguments(call: Call, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { operation } = call
  const zone = zoneOf(call)
  const read = (fields: Readonly<Record<string, TSchema>>, values: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => {
        const schema = Object.hasOwn(fields, name) ? fields[name] : undefined
        return [name, schema ? convertArgument(schema, value, zone) : value]
      }),
    )
  call.path = read(operation.pathInput, call.path)
  const changes = operation.method === 'PATCH'
  return read(operation.input.properties, withoutBlanks(operation.input, given, { changes }))
}

/** The time zone of the site that is asked about. */
function zoneOf({ operation, handed }: Call): string {
  const subject = operation.on.find(each => each.zoneOf)
  return subject?.zoneOf?.(handed[subject.name]) ?? 'UTC'
}

/** @throws Failure `validation_failed` with all faults of path and input, up to the limit */
export function checkInput(call: Call): void {
  const {
    core: { table },
    operation,
    path,
    request: { idempotencyKey: key, isForm },
    input,
    unknown,
    caller,
  } = call
  const takesKey = isForm ? operation.effect !== 'read' : caller !== undefined && isRepeatable(operation)
  const repeatable = key !== undefined && takesKey ? idempotencyKey(caller?.credentialId ?? anonymous, operation.id, key) : undefined
  const { faults, rest } = ownFaults(operation, input)
  const { chosen, faults: ofFields } = call.asksFields === undefined ? noFields : chosenFields(operation, call.asksFields)
  call.fields = chosen
  const wrong = [...faultsInPath(operation, path), ...faults, ...ofFields, ...unknownFields(table, operation, unknown)]
  if (wrong.length > 0) {
    const inPath = checkFaults(operation.pathInput, path, wrong)
    failWith([...wrong, ...inPath, ...checkFaults(operation.input.properties, rest, wrong)])
  }
  if (caller?.limits) {
    const within = { ...caller.limits, now: call.at, zone: zoneOf(call) }
    failWith(limitFaults({ ...operation.pathInput, ...operation.input.properties }, { ...path, ...input }, within))
  }
  if (caller?.conditions) narrowed(operation.input, input, caller.conditions)
  Object.assign(input, path)
  call.key = repeatable && fingerprinted(repeatable, input)
}

const noFields: ReturnType<typeof chosenFields> = { chosen: undefined, faults: [] }

/** Faults of the input by its schema. @returns also the input without the parts that are too large */
function ownFaults(operation: NamedOperation, input: Given): { faults: Fault[]; rest: Record<string, unknown> } {
  const { faults: large, rest } = withinBounds(operation.input.properties, input)
  const largePlaces = placesOf(large)
  const faults = [...large, ...faultsOf(operation.input, rest, operation.secrets).filter(({ pointer }) => !largePlaces.has(pointer))]
  return { faults: [...faults, ...textFaults({ value: rest, judged: placesOf(faults) })], rest }
}

/** Faults of an input with defaults, as far as they can be found without the database. */
export function faultsOfInput(operation: NamedOperation, input: Given): Fault[] {
  const { faults, rest } = ownFaults(operation, input)
  return [...faults, ...checkFaults(operation.input.properties, rest, faults)]
}

const placesOf = (faults: readonly Fault[]): ReadonlySet<string> => new Set(faults.map(({ pointer }) => pointer))

function faultsInPath(operation: NamedOperation, path: Call['path']): Fault[] {
  const faults: Fault[] = []
  for (const name in operation.pathInput) {
    const schema = operation.pathInput[name]
    if (schema === undefined || matches(schema, path[name])) continue
    for (const fault of faultsOf(schema, path[name])) {
      faults.push({ ...fault, in: 'path', pointer: `/${name}`, message: inPath(fault.message, name) })
    }
  }
  return faults
}

/**
 * An argument that is not declared is a fault, as a filter that is dropped without a word gives a wrong number: unless it
 * is a read-only field of the record (here or in its read operation), so that it can be read and sent back, or the
 * operation belongs to another protocol, which may have extensions.
 */
function unknownFields(table: Table, operation: NamedOperation, unknown: readonly string[]): Fault[] {
  if (operation.wireFormat || unknown.length === 0) return []
  const isRead = operation.method === 'GET'
  const read = [...table.operations.values()].find(({ method, path }) => method === 'GET' && path === operation.path)
  const shown = (name: string) =>
    !isRead &&
    [operation.output, read?.output].some((output: TSchema | undefined) =>
      Object.hasOwn((output?.type === 'array' ? output.items : output)?.properties ?? {}, name),
    )
  const names = Object.keys(operation.input.properties)
  return unknown
    .filter(name => !shown(name))
    .slice(0, maxFaults)
    .map(name => ({
      pointer: `/${escaped(name)}`,
      code: 'unknown_field',
      message: unknownArgument(name, names, Object.keys(operation.pathInput)),
    }))
}

/** @param also names that may be meant too, but are not listed */
function unknownArgument(given: string, names: readonly string[], also: readonly string[]): Message {
  const near = nearest(given, [...names, ...also])
  const known = { name: clipped(given, maxNameLength), names: names.length === 0 ? m.no_arguments() : names }
  return near === undefined ? m.unknown_argument(known) : m.unknown_argument_like({ ...known, near })
}

/** A fault of the whole value of a parameter, which has its name. */
const inPath = (message: Sentence, name: string): Sentence =>
  message instanceof Message ? new Message(message.code, { ...message.params, field: fieldTerm(name) }) : message
