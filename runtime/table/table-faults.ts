/** Faults in the declarations of areas. Each says which declaration is wrong, and what it must be. */
import type { TSchema } from '@sinclair/typebox'
import type { Area } from './area.ts'
import type { Authenticator } from './authenticator.ts'
import type { EventKind } from '../events/event.ts'
import { settings as runtimeSettings } from '../settings/config.ts'
import type { IdKind } from '../values/ids.ts'
import { kindFault } from './answer-kinds.ts'
import { type Operation, subjectOf } from './operation.ts'
import type { Page } from './page.ts'
import type { Setting } from '../settings/setting.ts'
import type { Task } from './task.ts'
import { faultsOf, withDefaults } from './validate.ts'
import { matchesOnce } from '../values/matches.ts'

type Operations = ReadonlyMap<string, Operation>

/** Yields a fault for each declaration whose key another one of its kind has already. */
export function* duplicates<T>(kind: string, declared: readonly T[], keyOf: (each: T) => string): Generator<string> {
  const keys = declared.map(keyOf)
  for (const [i, key] of keys.entries()) if (keys.indexOf(key) !== i) yield `${kind} ${key}: is declared twice`
}

export function* faultsInAreas(areas: readonly Area[]): Generator<string> {
  yield* duplicates('area', areas, ({ name }) => name)
  const tables = new Map<string, string>()
  for (const { name, description, section, tables: own = [], expiring = [], sealed = [] } of areas) {
    if (!description) yield `area ${name}: has no description`
    if (section !== undefined && !areas.some(other => other.name === section && other.section === undefined)) {
      yield `area ${name}: its section "${section}" is not an area without a section of its own`
    }
    for (const table of own) {
      const other = tables.get(table)
      if (other !== undefined) yield `table ${table}: two areas write it, ${other} and ${name}`
      tables.set(table, name)
    }
    for (const { table } of sealed)
      if (!own.includes(table)) yield `area ${name}: seals columns of ${table}, which is not one of its tables`
    for (const { table } of expiring)
      if (!own.includes(table)) yield `area ${name}: lets rows of ${table} expire, which is not one of its tables`
  }
}

export function* faultsInDeprecations(operations: Operations): Generator<string> {
  for (const [id, { deprecated }] of operations) {
    if (!deprecated) continue
    const { since, until, instead } = deprecated
    for (const day of [since, until ?? since])
      if (!/^\d{4}-\d\d-\d\d$/.test(day)) yield `${id}: "${day}" of its deprecation must be a day such as 2026-12-01`
    if (until !== undefined && until <= since) yield `${id}: \`until\` of its deprecation must be after \`since\``
    if (instead !== undefined && !operations.has(instead)) yield `${id}: its deprecation names ${instead}, which is not an operation`
  }
}

export function* faultsInEvents(events: readonly EventKind[]): Generator<string> {
  yield* duplicates('event', events, ({ type }) => type)
  for (const { type, summary } of events) if (summary === '') yield `event ${type}: has no summary`
}

export function* faultsInForms(operations: Operations, pages: readonly Page[]): Generator<string> {
  for (const [id, { form }] of operations) {
    if (form && !pages.some(({ route }) => route === form.page)) yield `${id}: no area declares the page of its form, ${form.page}`
  }
}

/** One kind of id may have two names; two kinds may not have the same prefix. */
export function* faultsInIds(ids: Readonly<Record<string, IdKind>>): Generator<string> {
  const kinds = Object.entries(ids)
  for (const [name, kind] of kinds) {
    const other = kinds.find(([, { prefix }]) => prefix === kind.prefix)
    if (other && other[1] !== kind) yield `kind of id ${name}: ${other[0]} has its prefix ${kind.prefix} already`
  }
}

export function* faultsInSettings(settings: Readonly<Record<string, Setting>>): Generator<string> {
  for (const [name, { description }] of Object.entries(settings)) {
    if (Object.hasOwn(runtimeSettings, name)) yield `setting ${name}: the runtime has a setting of this name`
    if (!/^[A-Z][A-Z0-9_]*$/.test(name)) yield `setting ${name}: its name must be in capitals, like every environment variable`
    if (!description) yield `setting ${name}: has no description`
  }
}

function* faultsInOperation(id: string, row: Operation): Generator<string> {
  if (!/^[a-z]+(_[a-z]+)+$/.test(id)) yield 'its id must be noun_verb, for example alerts_mute'
  if (row.summary === '') yield 'has no summary'
  if (row.credential && row.access !== 'public')
    yield `asks for a credential of its own (${row.credential.name}), so its access must be "public"`
  const fault = kindFault(row.answers, row.accepts, row)
  if (fault !== undefined) yield fault
  if (row.accepts === 'upload' && !row.prepare)
    yield 'accepts an upload, so it must have a `prepare` that stores it: a transaction does not wait for the network'
  for (const subject of row.on)
    if (subject.isLocked && !subject.lock) yield `asks for a locked "${subject.name}", but that subject has no \`lock\``
  if (row.proof !== false && !Object.hasOwn(row.input.properties, 'current_password'))
    yield 'declares `proof`, so its input must contain `...proofInput`'
  if (row.path.endsWith('.json') || row.path.endsWith('/')) yield 'its route must not end with .json or a slash'
  if ((row.method === 'GET') !== (row.effect === 'read'))
    yield `its method ${row.method} does not fit the effect "${row.effect}": only reads are GET`
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

/** Returns the faults of operations that depend on no other declaration. */
export const faultsInOperations = (operations: Operations): string[] =>
  [...operations].flatMap(([id, row]) => [...faultsInOperation(id, row)].map(fault => `${id}: ${fault}`))

export function* faultsInTasks(tasks: readonly Task[]): Generator<string> {
  yield* duplicates('task', tasks, ({ name }) => name)
  for (const { name, summary, every, lease } of tasks) {
    if (!/^[a-z]+(_[a-z]+)+$/.test(name)) yield `task ${name}: its name must be noun_verb, for example webhooks_deliver`
    if (summary === '') yield `task ${name}: has no summary`
    if (!(every > 0 && lease > 0)) yield `task ${name}: "every" and "lease" must be milliseconds above 0`
  }
}

export function* faultsInAuthenticators(authenticators: readonly Authenticator[]): Generator<string> {
  yield* duplicates('authenticator', authenticators, ({ name }) => name)
  yield* duplicates('credential', authenticators, ({ sentAs }) => ('bearer' in sentAs ? sentAs.bearer : sentAs.cookie))
  for (const { name, sentAs } of authenticators) {
    if ('bearer' in sentAs && !/^[a-z]{3,4}_$/.test(sentAs.bearer))
      yield `authenticator ${name}: its prefix must be three or four letters and "_", for example pat_`
  }
}

/** Yields a fault for each field of a record without a description. */
function* undescribed(output: TSchema): Generator<string> {
  const schema: TSchema = output.type === 'array' ? output.items : output
  if (schema.type !== 'object') return
  for (const [name, property] of Object.entries<TSchema>(schema.properties ?? {})) {
    if (!property.description) yield `field "${name}" of the answer has no description`
  }
}
