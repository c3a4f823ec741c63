/** The table of operations: areas, checked as a whole at the start. A wrong declaration stops it with its name. */
import type { TSchema } from '@sinclair/typebox'
import type { Authenticator } from './authenticator.ts'
import type { Endpoint } from './endpoint.ts'
import type { EventKind } from './event.ts'
import { kindFault } from './kinds.ts'
import { type Operation, subjectOf } from './operation.ts'
import type { Subscriber } from './subscriber.ts'
import type { Task } from './task.ts'
import { faultsOf, withDefaults } from './validate.ts'

export interface Area {
  /** As in the API's documentation: `Alerts`. */
  readonly name: string
  readonly description: string
  readonly operations: Readonly<Record<string, Operation>>
}

export interface NamedOperation extends Operation {
  /** The export's name: operation id and tool name. */
  readonly id: string
  readonly area: string
}

export interface Table {
  readonly areas: readonly Area[]
  readonly operations: ReadonlyMap<string, NamedOperation>
  readonly events: readonly EventKind[]
  readonly endpoints: readonly Endpoint[]
  readonly tasks: readonly Task[]
  readonly subscribers: readonly Subscriber[]
  readonly authenticators: readonly Authenticator[]
}

export function area(name: string, description: string, operations: Readonly<Record<string, Operation>>): Area {
  return Object.freeze({ name, description, operations })
}

/** @throws Error naming every wrong declaration */
export function defineTable(
  areas: readonly Area[],
  events: readonly EventKind[] = [],
  endpoints: readonly Endpoint[] = [],
  tasks: readonly Task[] = [],
  subscribers: readonly Subscriber[] = [],
  authenticators: readonly Authenticator[] = [],
): Table {
  const operations = new Map<string, NamedOperation>()
  const routes = new Map<string, string>()
  const faults: string[] = []
  for (const { name: area, operations: rows } of areas) {
    for (const [id, row] of Object.entries(rows)) {
      if (typeof row !== 'object' || typeof row.run !== 'function') {
        faults.push(`${id}: is no operation; ${area}'s operations.ts exports nothing else`)
        continue
      }
      const route = `${row.method} ${row.path.replace(/\{\w+\}/g, '{}')}`
      const other = routes.get(route) ?? (operations.has(id) ? id : undefined)
      if (other !== undefined) faults.push(`${id}: ${row.method} ${row.path} is already ${other}`)
      routes.set(route, id)
      faults.push(...faultsIn(id, row).map(fault => `${id}: ${fault}`))
      operations.set(id, Object.freeze({ ...row, id, area }))
    }
  }
  faults.push(...faultsInTasks(tasks), ...faultsInAuthenticators(authenticators))
  if (faults.length > 0) throw new Error(`The table of operations is wrong:\n  ${faults.join('\n  ')}`)
  return Object.freeze({ areas, operations, events, endpoints, tasks, subscribers, authenticators })
}

function* declaredFaults(id: string, row: Operation): Generator<string> {
  if (!/^[a-z]+(_[a-z]+)+$/.test(id)) yield 'an id is written noun_verb'
  if (row.summary === '') yield 'has no summary'
  if (row.credential && row.access !== 'public') yield `asks for a credential of its own (${row.credential.name}), so its access is "public"`
  const fault = kindFault(row.answers, row.accepts, row)
  if (fault !== undefined) yield fault
  if (row.accepts === 'upload' && !row.prepare) yield 'accepts an upload, so it has a `prepare` that stores it: a transaction does not wait for the network'
  for (const subject of row.on) if (subject.isLocked && !subject.lock) yield `asks for "${subject.name}" locked, which its subject cannot be`
  if (row.path.endsWith('.json') || row.path.endsWith('/')) yield 'a route is written without .json and without a slash at the end'
  if ((row.method === 'GET') !== (row.effect === 'read')) yield `${row.method} does not go with the effect "${row.effect}"`
  for (const [name, schema] of Object.entries(row.pathInput)) {
    if (Object.hasOwn(row.input.properties, name)) yield `input "${name}" collides with the path parameter`
    if (!schema.description) yield `path parameter "${name}" names no subject and has no description`
  }
  for (const subject of row.on) {
    if (!Object.keys(row.pathInput).some(name => subjectOf(name, row.path, row.on) === subject)) yield `the path does not name the subject "${subject.name}"`
  }
  for (const [name, schema] of Object.entries(row.input.properties)) if (!schema.description) yield `input "${name}" has no description`
  yield* undescribed(row.output)
  if (row.examples.length === 0) yield 'has no example'
  for (const [i, { input }] of row.examples.entries()) {
    const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !Object.hasOwn(row.pathInput, name)))
    const { input: full, unknown } = withDefaults(row.input, rest)
    for (const name of unknown) yield `example ${i} has the unknown field "${name}"`
    for (const name of Object.keys(row.pathInput)) if (typeof input[name] !== 'string') yield `example ${i} lacks the path parameter "${name}"`
    for (const { message } of faultsOf(row.input, full)) yield `example ${i}: ${message}`
  }
}
const faultsIn = (id: string, row: Operation) => [...declaredFaults(id, row)]

function* faultsInTasks(tasks: readonly Task[]): Generator<string> {
  for (const [i, { name, summary, every, lease }] of tasks.entries()) {
    if (!/^[a-z]+(_[a-z]+)+$/.test(name)) yield `task ${name}: a name is written noun_verb`
    if (tasks.findIndex(other => other.name === name) !== i) yield `task ${name}: is there already`
    if (summary === '') yield `task ${name}: has no summary`
    if (!(every > 0 && lease > 0)) yield `task ${name}: "every" and "lease" are milliseconds above 0`
  }
}

function* faultsInAuthenticators(all: readonly Authenticator[]): Generator<string> {
  const seen = new Set<string>()
  for (const { name, shown } of all) {
    for (const key of [name, 'bearer' in shown ? shown.bearer : shown.cookie]) {
      if (seen.has(key)) yield `authenticator ${name}: "${key}" is taken by another`
      seen.add(key)
    }
    if ('bearer' in shown && !/^[a-z]{3}_$/.test(shown.bearer)) yield `authenticator ${name}: a token begins with three letters and "_"`
  }
}

/** A record's fields are documentation too. */
function* undescribed(output: TSchema): Generator<string> {
  const schema: TSchema = output.type === 'array' ? output.items : output
  if (schema.type !== 'object') return
  for (const [name, property] of Object.entries<TSchema>(schema.properties ?? {})) {
    if (!property.description) yield `field "${name}" of the answer has no description`
  }
}
