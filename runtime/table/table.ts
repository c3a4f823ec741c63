/** The table: everything that areas declare, combined at the start. Faulty declarations stop the start by name. */
import type { TSchema } from '@sinclair/typebox'
import type { Area, Exports } from './area.ts'
import type { Authenticator } from './authenticator.ts'
import type { Check } from './check.ts'
import type { Endpoint } from './endpoint.ts'
import type { EventKind } from '../events/event.ts'
import { typesOf, withEventTypes } from '../events/event-type.ts'
import { type Expiring, runtimeExpiring } from './expiring.ts'
import { settings as runtimeSettings } from '../settings/config.ts'
import { type IdKind, runtimeIds } from '../values/ids.ts'
import { kindFault } from './answer-kinds.ts'
import type { Gauges } from './gauges.ts'
import { type Meter, meters as runtimeMeters } from '../observability/metrics.ts'
import { type Operation, subjectOf } from './operation.ts'
import type { Page } from './page.ts'
import type { Prompt } from './prompt.ts'
import type { Prover } from './prover.ts'
import type { Setting } from '../settings/setting.ts'
import type { Subscriber } from '../events/subscriber.ts'
import type { Task } from './task.ts'
import { faultsOf, withDefaults } from './validate.ts'
import { matchesOnce } from '../values/matches.ts'

export interface NamedOperation extends Operation {
  /** The export's name; operation id and tool name. */
  readonly id: string
  /** Name of the area that declares it. */
  readonly area: string
  /** Its section in the documentation and in the list of toolsets: its area, or the one that the area names. */
  readonly section: string
  /** Whether its area counts it among what is needed every day. */
  readonly everyday: boolean
  /** Phrases of people who want it. */
  readonly asked: readonly string[]
  /** The row as its area declares it: pages find an operation by it, and a record by the schema of its answer. */
  readonly declared: Operation
}

export interface Table {
  readonly areas: readonly Area[]
  readonly operations: ReadonlyMap<string, NamedOperation>
  /** By their names. */
  readonly prompts: ReadonlyMap<string, Prompt>
  /** Lists whose records are resources. */
  readonly readable: readonly NamedOperation[]
  readonly events: readonly EventKind[]
  readonly endpoints: readonly Endpoint[]
  readonly pages: readonly Page[]
  readonly tasks: readonly Task[]
  readonly checks: readonly Check[]
  readonly gauges: readonly Gauges[]
  readonly subscribers: readonly Subscriber[]
  readonly authenticators: readonly Authenticator[]
  readonly provers: readonly Prover[]
  /** By the names that examples use for records. */
  readonly ids: Readonly<Record<string, IdKind>>
  /** Settings of areas; the runtime's own are in `config.ts`. */
  readonly settings: Readonly<Record<string, Setting>>
  readonly meters: Readonly<Record<string, Meter>>
  readonly expiring: readonly Expiring[]
}

/** A fault in the table. It is shown without a stack, which would not help its author. */
export class TableError extends Error {
  constructor(faults: readonly string[]) {
    super(`The table of operations is wrong:\n  ${faults.join('\n  ')}`)
    this.stack = this.message
  }
}

/** @throws TableError naming every faulty declaration */
export function defineTable(areas: readonly Area[]): Table {
  const faults: string[] = [...faultsInAreas(areas)]
  const together = <T>(what: string, of: (area: Area) => Exports<T> | undefined) => {
    const { found, twice } = fold(areas, of, what)
    faults.push(...twice)
    return found
  }
  const valuesOf = <T>(found: Folded<T>): T[] => [...found.values()].map(({ value }) => value)
  const byName = <T>(found: Folded<T>) => Object.fromEntries([...found].map(([name, { value }]) => [name, value]))

  const events = together('event', ({ events }) => events)
  const types = typesOf(valuesOf(events))
  const operations = new Map<string, NamedOperation>()
  const routes = new Map<string, string>()
  const declared = together('operation', of => of.operations)
  for (const { name, everyday = [], asked = {}, readable = [] } of areas)
    for (const id of [...everyday, ...readable, ...Object.keys(asked)])
      if (declared.get(id)?.area.name !== name) faults.push(`area ${name}: names ${id}, which is none of its operations`)
  for (const [id, { value: row, area }] of declared) {
    if (typeof row !== 'object' || typeof row.run !== 'function') {
      faults.push(`${id}: is no operation; ${area.name}'s operations.ts exports nothing else`)
      continue
    }
    const route = `${row.method} ${row.path.replace(/\{\w+\}/g, '{}')}`
    const other = routes.get(route)
    if (other !== undefined) faults.push(`${id}: ${row.method} ${row.path} is already ${other}`)
    routes.set(route, id)
    const whole = { ...row, input: withEventTypes(row.input, types), output: withEventTypes(row.output, types) }
    operations.set(
      id,
      Object.freeze({
        ...whole,
        id,
        area: area.name,
        section: area.section ?? area.name,
        everyday: area.everyday?.includes(id) === true,
        asked: (area.asked?.[id] ?? '').split(', ').filter(Boolean),
        declared: row,
      }),
    )
  }
  const prompts = new Map([...together('prompt', of => of.prompts)].map(([name, { value }]) => [name, value]))
  const readable = areas.flatMap(area => area.readable ?? []).flatMap(id => operations.get(id) ?? [])
  const tasks = valuesOf(together('task', ({ tasks }) => tasks))
  const endpoints = valuesOf(together('endpoint', of => of.endpoints))
  const pages = valuesOf(together('page', of => of.pages))
  const checks = valuesOf(together('check', of => of.checks))
  const gauges = valuesOf(together('gauge', of => of.gauges))
  const subscribers = valuesOf(together('subscriber', of => of.subscribers))
  const authenticators = valuesOf(together('authenticator', of => of.authenticators))
  const provers = valuesOf(together('prover', of => of.provers))
  const ids = { ...runtimeIds, ...byName(together('kind of id', of => of.ids)) }
  const settings = byName(together('setting', of => of.settings))
  const meters = { ...runtimeMeters, ...byName(together('meter', of => of.meters)) }
  const expiring = [...runtimeExpiring, ...areas.flatMap(of => of.expiring ?? [])]
  // A tenth of the CPU time of a start, and the same in each.
  if (!import.meta.checked) faults.push(...declaredFaultsOf(operations))
  faults.push(
    ...faultsInTasks(tasks),
    ...faultsInEndpoints(endpoints),
    ...faultsInPages(pages, operations),
    ...faultsInDeprecations(operations),
    ...faultsInEvents(valuesOf(events)),
    ...faultsInIds(ids),
    ...faultsInSettings(settings),
    ...faultsInAuthenticators(authenticators),
  )
  if (faults.length > 0) throw new TableError(faults)
  return Object.freeze({
    areas,
    operations,
    prompts,
    readable,
    events: valuesOf(events),
    endpoints,
    pages,
    tasks,
    checks,
    gauges,
    subscribers,
    authenticators,
    provers,
    ids,
    settings,
    meters,
    expiring,
  })
}

type Folded<T> = ReadonlyMap<string, { readonly value: T; readonly area: Area }>

/** Exports of one sort from all areas, by name. A duplicate name is a fault: one of the two would be lost silently. */
function fold<T>(areas: readonly Area[], of: (area: Area) => Exports<T> | undefined, what: string): { found: Folded<T>; twice: string[] } {
  const found = new Map<string, { value: T; area: Area }>()
  const twice: string[] = []
  for (const area of areas) {
    const exported = of(area) ?? []
    for (const each of Array.isArray(exported)
      ? (exported as readonly Readonly<Record<string, T>>[])
      : [exported as Readonly<Record<string, T>>]) {
      for (const [name, value] of Object.entries(each)) {
        const other = found.get(name)
        if (other)
          twice.push(
            `${name}: two areas bring ${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what} of this name, ${other.area.name} and ${area.name}`,
          )
        else found.set(name, { value, area })
      }
    }
  }
  return { found, twice }
}

function* faultsInAreas(areas: readonly Area[]): Generator<string> {
  const names = new Set<string>()
  const tables = new Map<string, string>()
  for (const { name, description, section, tables: own = [], expiring = [], sealed = [] } of areas) {
    if (names.has(name)) yield `area ${name}: is in the list twice`
    names.add(name)
    if (!description) yield `area ${name}: has no description`
    if (section !== undefined && !areas.some(other => other.name === section && other.section === undefined)) {
      yield `area ${name}: its section "${section}" is no area`
    }
    for (const table of own) {
      const other = tables.get(table)
      if (other !== undefined) yield `table ${table}: is written by two areas, ${other} and ${name}`
      tables.set(table, name)
    }
    for (const { table } of sealed) if (!own.includes(table)) yield `area ${name}: seals what is in ${table}, which is none of its tables`
    for (const { table } of expiring) if (!own.includes(table)) yield `area ${name}: rows of ${table} expire, which is none of its tables`
  }
}

function* faultsInEvents(events: readonly EventKind[]): Generator<string> {
  for (const [i, { type, summary }] of events.entries()) {
    if (events.findIndex(other => other.type === type) !== i) yield `event ${type}: is there already`
    if (summary === '') yield `event ${type}: has no summary`
  }
}

function* faultsInEndpoints(endpoints: readonly Endpoint[]): Generator<string> {
  for (const [i, { route }] of endpoints.entries()) {
    if (endpoints.findIndex(other => other.route === route) !== i) yield `endpoint ${route}: is there already`
  }
}

function* faultsInDeprecations(operations: ReadonlyMap<string, Operation>): Generator<string> {
  for (const [id, { deprecated }] of operations) {
    if (!deprecated) continue
    const { since, until, instead } = deprecated
    for (const day of [since, until ?? since]) if (!/^\d{4}-\d\d-\d\d$/.test(day)) yield `${id}: "${day}" of its deprecation is no day`
    if (until !== undefined && until <= since) yield `${id}: \`until\` of its deprecation is after \`since\``
    if (instead !== undefined && !operations.has(instead)) yield `${id}: there is no operation ${instead} to use instead`
  }
}

function* faultsInPages(pages: readonly Page[], operations: ReadonlyMap<string, Operation>): Generator<string> {
  for (const [i, { route }] of pages.entries()) {
    if (pages.findIndex(other => other.route === route) !== i) yield `page ${route}: is there already`
  }
  for (const [id, { form }] of operations) {
    if (form && !pages.some(({ route }) => route === form.page)) yield `${id}: the page of its form, ${form.page}, is brought by no area`
  }
}

/** One kind of id may have two names; two kinds may not begin alike. */
function* faultsInIds(ids: Readonly<Record<string, IdKind>>): Generator<string> {
  const kinds = Object.entries(ids)
  for (const [name, kind] of kinds) {
    const other = kinds.find(([, { prefix }]) => prefix === kind.prefix)
    if (other && other[1] !== kind) yield `kind of id ${name}: its prefix ${kind.prefix} is already that of ${other[0]}`
  }
}

function* faultsInSettings(settings: Readonly<Record<string, Setting>>): Generator<string> {
  for (const [name, { description }] of Object.entries(settings)) {
    if (Object.hasOwn(runtimeSettings, name)) yield `setting ${name}: the runtime has one of this name`
    if (!/^[A-Z][A-Z0-9_]*$/.test(name)) yield `setting ${name}: a name is written in capitals, as the environment has it`
    if (!description) yield `setting ${name}: has no description`
  }
}

function* declaredFaults(id: string, row: Operation): Generator<string> {
  if (!/^[a-z]+(_[a-z]+)+$/.test(id)) yield 'an id is written noun_verb'
  if (row.summary === '') yield 'has no summary'
  if (row.credential && row.access !== 'public')
    yield `asks for a credential of its own (${row.credential.name}), so its access is "public"`
  const fault = kindFault(row.answers, row.accepts, row)
  if (fault !== undefined) yield fault
  if (row.accepts === 'upload' && !row.prepare)
    yield 'accepts an upload, so it has a `prepare` that stores it: a transaction does not wait for the network'
  for (const subject of row.on)
    if (subject.isLocked && !subject.lock) yield `asks for "${subject.name}" locked, which its subject cannot be`
  if (row.proof !== false && !Object.hasOwn(row.input.properties, 'current_password')) yield 'declares `proof` without `...proofInput`'
  if (row.path.endsWith('.json') || row.path.endsWith('/')) yield 'a route is written without .json and without a slash at the end'
  if ((row.method === 'GET') !== (row.effect === 'read')) yield `${row.method} does not go with the effect "${row.effect}"`
  for (const [name, schema] of Object.entries(row.pathInput)) {
    if (Object.hasOwn(row.input.properties, name)) yield `input "${name}" collides with the path parameter`
    if (!schema.description) yield `path parameter "${name}" names no subject and has no description`
  }
  for (const subject of row.on) {
    if (!Object.keys(row.pathInput).some(name => subjectOf(name, row.path, row.on) === subject))
      yield `the path does not name the subject "${subject.name}"`
  }
  for (const [name, schema] of Object.entries(row.input.properties)) if (!schema.description) yield `input "${name}" has no description`
  yield* undescribed(row.output)
  const examples = row.examples ?? [] // missing if types were not checked
  if (examples.length === 0) yield 'has no example'
  for (const [i, { input }] of examples.entries()) {
    const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !Object.hasOwn(row.pathInput, name)))
    const { input: full, unknown } = withDefaults(row.input, rest)
    for (const name of unknown) yield `example ${i} has the unknown field "${name}"`
    for (const name of Object.keys(row.pathInput))
      if (typeof input[name] !== 'string') yield `example ${i} lacks the path parameter "${name}"`
    if (!matchesOnce(row.input, full)) for (const { message } of faultsOf(row.input, full)) yield `example ${i}: ${message}`
  }
}

/** The faults of operations in their own declarations. */
export const declaredFaultsOf = (operations: Table['operations']): string[] =>
  [...operations].flatMap(([id, row]) => [...declaredFaults(id, row)].map(fault => `${id}: ${fault}`))

function* faultsInTasks(tasks: readonly Task[]): Generator<string> {
  for (const [i, { name, summary, every, lease }] of tasks.entries()) {
    if (!/^[a-z]+(_[a-z]+)+$/.test(name)) yield `task ${name}: a name is written noun_verb`
    if (tasks.findIndex(other => other.name === name) !== i) yield `task ${name}: is there already`
    if (summary === '') yield `task ${name}: has no summary`
    if (!(every > 0 && lease > 0)) yield `task ${name}: "every" and "lease" are milliseconds above 0`
  }
}

function* faultsInAuthenticators(all: readonly Authenticator[]): Generator<string> {
  const [names, seen] = [new Set<string>(), new Set<string>()]
  for (const { name, sentAs } of all) {
    const key = 'bearer' in sentAs ? sentAs.bearer : sentAs.cookie
    for (const [known, each] of [
      [names, name],
      [seen, key],
    ] as const) {
      if (known.has(each)) yield `authenticator ${name}: "${each}" is taken by another`
      known.add(each)
    }
    if ('bearer' in sentAs && !/^[a-z]{3,4}_$/.test(sentAs.bearer))
      yield `authenticator ${name}: a token begins with three or four letters and "_"`
  }
}

/** Fields of a record without a description. */
function* undescribed(output: TSchema): Generator<string> {
  const schema: TSchema = output.type === 'array' ? output.items : output
  if (schema.type !== 'object') return
  for (const [name, property] of Object.entries<TSchema>(schema.properties ?? {})) {
    if (!property.description) yield `field "${name}" of the answer has no description`
  }
}
