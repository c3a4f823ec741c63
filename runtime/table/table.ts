/** The table: everything that areas declare, combined at the start. Faulty declarations stop the start by name. */
import type { Area, Exports } from './area.ts'
import type { Authenticator } from './authenticator.ts'
import type { Check } from './check.ts'
import type { Endpoint } from './endpoint.ts'
import type { EventKind } from '../events/event.ts'
import { typesOf, withEventTypes } from '../events/event-type.ts'
import { type Expiring, runtimeExpiring } from './expiring.ts'
import { type IdKind, runtimeIds } from '../values/ids.ts'
import type { Gauges } from './gauges.ts'
import { type Meter, meters as runtimeMeters } from '../observability/metrics.ts'
import type { Operation } from './operation.ts'
import type { Page } from './page.ts'
import type { Prompt } from './prompt.ts'
import type { Prover } from './prover.ts'
import type { Setting } from '../settings/setting.ts'
import type { Subscriber } from '../events/subscriber.ts'
import type { Task } from './task.ts'
import {
  duplicates,
  faultsInAreas,
  faultsInAuthenticators,
  faultsInDeprecations,
  faultsInEvents,
  faultsInForms,
  faultsInIds,
  faultsInOperations,
  faultsInSettings,
  faultsInTasks,
} from './table-faults.ts'

export interface NamedOperation extends Operation {
  /** The export's name; operation id and tool name. */
  readonly id: string
  /** Name of the area that declares it. */
  readonly area: string
  /** Its section in the documentation and in the list of toolsets: its area, or the one that the area names. */
  readonly section: string
  /** Whether it belongs to the toolset `everyday` of MCP. */
  readonly everyday: boolean
  /** Phrases that people use for it. `tools_search` matches them. */
  readonly asked: readonly string[]
  /** The row as its area declares it: pages find an operation by it, and a record by the schema of its answer. */
  readonly declared: Operation
}

export interface Table {
  readonly areas: readonly Area[]
  readonly operations: ReadonlyMap<string, NamedOperation>
  /** Prompts by name. */
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
  /** Kinds of ids, by the names that examples use for records. */
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
  const collected = <T>(kind: string, exportsOf: (area: Area) => Exports<T> | undefined): Collected<T> => {
    const { found, clashes } = collect(areas, kind, exportsOf)
    faults.push(...clashes)
    return found
  }
  const valuesOf = <T>(found: Collected<T>): T[] => [...found.values()].map(({ value }) => value)
  const byName = <T>(found: Collected<T>) => Object.fromEntries([...found].map(([name, { value }]) => [name, value]))

  const events = valuesOf(collected('event', area => area.events))
  const declared = collected('operation', area => area.operations)
  const operations = namedOperations(declared, events, faults)
  for (const { name, everyday = [], asked = {}, readable = [] } of areas)
    for (const id of [...everyday, ...readable, ...Object.keys(asked)])
      if (declared.get(id)?.area.name !== name) faults.push(`area ${name}: names ${id}, which is not one of its operations`)
  const prompts = new Map([...collected('prompt', area => area.prompts)].map(([name, { value }]) => [name, value]))
  const readable = areas.flatMap(area => area.readable ?? []).flatMap(id => operations.get(id) ?? [])
  const tasks = valuesOf(collected('task', area => area.tasks))
  const endpoints = valuesOf(collected('endpoint', area => area.endpoints))
  const pages = valuesOf(collected('page', area => area.pages))
  const checks = valuesOf(collected('check', area => area.checks))
  const gauges = valuesOf(collected('gauge', area => area.gauges))
  const subscribers = valuesOf(collected('subscriber', area => area.subscribers))
  const authenticators = valuesOf(collected('authenticator', area => area.authenticators))
  const provers = valuesOf(collected('prover', area => area.provers))
  const ids = { ...runtimeIds, ...byName(collected('kind of id', area => area.ids)) }
  const settings = byName(collected('setting', area => area.settings))
  const meters = { ...runtimeMeters, ...byName(collected('meter', area => area.meters)) }
  const expiring = [...runtimeExpiring, ...areas.flatMap(area => area.expiring ?? [])]
  // The build has checked these already, which saves a tenth of the CPU time of a start.
  if (!import.meta.checked) faults.push(...faultsInOperations(operations))
  faults.push(
    ...faultsInTasks(tasks),
    ...duplicates('endpoint', endpoints, ({ route }) => route),
    ...duplicates('page', pages, ({ route }) => route),
    ...faultsInEvents(events),
    ...faultsInForms(operations, pages),
    ...faultsInDeprecations(operations),
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
    events,
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

/** Completes the rows that areas declare. @param faults receives the faults that are found on the way */
function namedOperations(declared: Collected<Operation>, events: readonly EventKind[], faults: string[]): Map<string, NamedOperation> {
  const types = typesOf(events)
  const operations = new Map<string, NamedOperation>()
  const routes = new Map<string, string>()
  for (const [id, { value: row, area }] of declared) {
    if (typeof row !== 'object' || typeof row.run !== 'function') {
      faults.push(`${id}: is not an operation; operations.ts of ${area.name} must export nothing else`)
      continue
    }
    const route = `${row.method} ${row.path.replace(/\{\w+\}/g, '{}')}`
    const other = routes.get(route)
    if (other !== undefined) faults.push(`${id}: ${row.method} ${row.path} is already the route of ${other}`)
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
  return operations
}

type Collected<T> = ReadonlyMap<string, { readonly value: T; readonly area: Area }>

/** Collects the exports of one kind from all areas. Two of one name are a fault: otherwise one would be lost silently. */
function collect<T>(
  areas: readonly Area[],
  kind: string,
  exportsOf: (area: Area) => Exports<T> | undefined,
): { found: Collected<T>; clashes: string[] } {
  type Module = Readonly<Record<string, T>>
  const found = new Map<string, { value: T; area: Area }>()
  const clashes: string[] = []
  for (const area of areas) {
    const modules = [exportsOf(area) ?? []].flat() as readonly Module[]
    for (const [name, value] of modules.flatMap(module => Object.entries(module))) {
      const other = found.get(name)?.area
      if (other) {
        const article = /^[aeiou]/.test(kind) ? 'an' : 'a'
        clashes.push(`${name}: two areas declare ${article} ${kind} of this name, ${other.name} and ${area.name}`)
      } else found.set(name, { value, area })
    }
  }
  return { found, clashes }
}
