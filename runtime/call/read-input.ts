/** Reads the input and finds everything that is wrong with it at once. */
import type { TSchema } from '@sinclair/typebox'
import { fail, failWith, type Fault } from '../errors.ts'
import { idempotencyKey } from '../idempotency.ts'
import { narrowed } from '../schema.ts'
import type { NamedOperation, Table } from '../table.ts'
import { checkFaults, faultsOf, isDeeper, matches, textFaults, withDefaults } from '../validate.ts'
import type { Call } from './call.ts'

const maxNesting = 32

/** @throws Failure 413, 415, 422: what the adapter found, or JSON that nests too deep */
export async function readInput(call: Call): Promise<void> {
  const { operation, request, caller } = call
  const given = await request.input()
  if (isDeeper(given, maxNesting)) fail('invalid_json', `The input nests deeper than ${maxNesting} levels.`)
  if (request.idempotencyKey !== undefined && caller && ['POST', 'PATCH'].includes(operation.method)) {
    call.key = idempotencyKey(caller.credentialId, operation.id, request.idempotencyKey, { ...request.path, ...given })
  }
  const { input, unknown } = withDefaults(operation.input, given)
  call.input = input
  call.unknown = unknown
}

/** @throws Failure `validation_failed` with every fault of path and input */
export function checkInput(call: Call): void {
  const { core: { table }, operation, request: { path }, input, unknown, caller } = call
  const faults = faultsOf(operation.input, input, operation.secrets)
  const unkept = textFaults(input).filter(({ pointer }) => !faults.some(fault => fault.pointer === pointer))
  const wrong = [...faultsInPath(operation, path), ...faults, ...unkept, ...unknownFields(table, operation, unknown)]
  if (wrong.length > 0) {
    const inPath = checkFaults(operation.pathInput, path, wrong)
    failWith([...wrong, ...inPath, ...checkFaults(operation.input.properties, input, wrong)])
  }
  if (caller?.conditions) narrowed(operation.input, input, caller.conditions)
  Object.assign(input, path)
}

function faultsInPath(operation: NamedOperation, path: Call['request']['path']): Fault[] {
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

/** In a body an unknown field is a fault, but what the record shows, here or where it is read, and cannot be changed is let pass. */
function unknownFields(table: Table, operation: NamedOperation, unknown: readonly string[]): Fault[] {
  if (operation.method === 'GET' || unknown.length === 0) return []
  const read = [...table.operations.values()].find(({ method, path }) => method === 'GET' && path === operation.path)
  const shown = (name: string) => [operation.output, read?.output].some((output: TSchema | undefined) =>
    Object.hasOwn((output?.type === 'array' ? output.items : output)?.properties ?? {}, name))
  return unknown.filter(name => !shown(name)).map(name => ({
    pointer: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, code: 'unknown_field',
    message: `${name.slice(0, 80)} is not a field here; fields are ${Object.keys(operation.input.properties).join(', ') || '(none)'}.`,
  }))
}
