/** Reads the input and reports all of its faults at once. */
import type { TSchema } from '@sinclair/typebox'
import { refuseManyFields, withinBounds } from '../bounds.ts'
import { clipped } from '../clipped.ts'
import { failWith, type Fault, mostFaults } from '../errors.ts'
import { fingerprinted, idempotencyKey, isRepeatable } from '../idempotency.ts'
import { escaped } from '../pointer.ts'
import { narrowed } from '../schema.ts'
import type { NamedOperation, Table } from '../table.ts'
import { checkFaults, faultsOf, matches, textFaults, withDefaults } from '../validate.ts'
import type { Call } from './call.ts'

/** Characters of an unknown name that are repeated to the caller. */
const longestName = 80

/** @throws Failure 413, 415, 422: from the adapter, or for more fields than any operation has */
export async function readInput(call: Call): Promise<void> {
  const given = await call.request.input()
  refuseManyFields(given)
  const { input, unknown } = withDefaults(call.operation.input, given)
  call.input = input
  call.unknown = unknown
}

/** @throws Failure `validation_failed` with all faults of path and input, up to the limit */
export function checkInput(call: Call): void {
  const {
    core: { table },
    operation,
    path,
    request: { idempotencyKey: key },
    input,
    unknown,
    caller,
  } = call
  const repeatable =
    key !== undefined && caller && isRepeatable(operation) ? idempotencyKey(caller.credentialId, operation.id, key) : undefined
  const { faults: large, rest } = withinBounds(operation.input.properties, input)
  const isLarge = placesOf(large)
  const faults = [...large, ...faultsOf(operation.input, rest, operation.secrets).filter(({ pointer }) => !isLarge.has(pointer))]
  const wrong = [
    ...faultsInPath(operation, path),
    ...faults,
    ...textFaults(rest, placesOf(faults)),
    ...unknownFields(table, operation, unknown),
  ]
  if (wrong.length > 0) {
    const inPath = checkFaults(operation.pathInput, path, wrong)
    failWith([...wrong, ...inPath, ...checkFaults(operation.input.properties, rest, wrong)])
  }
  if (caller?.conditions) narrowed(operation.input, input, caller.conditions)
  Object.assign(input, path)
  call.key = repeatable && fingerprinted(repeatable, input)
}

const placesOf = (faults: readonly Fault[]): ReadonlySet<string> => new Set(faults.map(({ pointer }) => pointer))

function faultsInPath(operation: NamedOperation, path: Call['path']): Fault[] {
  const faults: Fault[] = []
  for (const name in operation.pathInput) {
    const schema = operation.pathInput[name]
    if (schema === undefined || matches(schema, path[name])) continue
    for (const fault of faultsOf(schema, path[name])) {
      faults.push({ ...fault, in: 'path', pointer: `/${name}`, message: fault.message.replace('The input', name) })
    }
  }
  return faults
}

/**
 * In a body, an unknown field is a fault, unless it is a read-only field of the record (here or in its read operation), or
 * the operation belongs to another protocol, which may have extensions.
 */
function unknownFields(table: Table, operation: NamedOperation, unknown: readonly string[]): Fault[] {
  if (operation.method === 'GET' || operation.manner || unknown.length === 0) return []
  const read = [...table.operations.values()].find(({ method, path }) => method === 'GET' && path === operation.path)
  const shown = (name: string) =>
    [operation.output, read?.output].some((output: TSchema | undefined) =>
      Object.hasOwn((output?.type === 'array' ? output.items : output)?.properties ?? {}, name),
    )
  return unknown
    .filter(name => !shown(name))
    .slice(0, mostFaults)
    .map(name => ({
      pointer: `/${escaped(name)}`,
      code: 'unknown_field',
      message: `${clipped(name, longestName)} is not a field here; fields are ${Object.keys(operation.input.properties).join(', ') || '(none)'}.`,
    }))
}

/** Names of unknown parameters, clipped for the answer. */
export const ignoredNames = (unknown: readonly string[]): string[] => unknown.map(name => clipped(name, longestName))
