/** Views, forms and filled slots of all areas, found by what they are declared for. They are loaded with the first page. */
import type { TSchema } from '@sinclair/typebox'
import { isEnvelope } from '../../runtime/table/answer-kinds.ts'
import type { Area } from '../../runtime/table/area.ts'
import type { Face } from '../../runtime/table/face.ts'
import type { Operation } from '../../runtime/table/operation.ts'
import { type NamedOperation, type Table, TableError } from '../../runtime/table/table.ts'
import type { FormLayout } from '../../runtime/ui/form-layout.ts'
import type { SettingsLayout } from '../../runtime/ui/settings.ts'
import type { Fill } from '../../runtime/ui/slot.ts'
import type { View } from '../../runtime/ui/view.ts'
import type { ListOf, Shows, Slot } from '../../runtime/ui/viewed-page.ts'
import { hasPage } from '../surfaces.ts'

export interface AreaViews {
  readonly views: ReadonlyMap<TSchema, View>
  readonly listViews: ReadonlyMap<TSchema, View>
  readonly forms: ReadonlyMap<Operation, FormLayout>
  readonly settings: ReadonlyMap<Operation, SettingsLayout>
  readonly fills: ReadonlyMap<Slot<never, unknown>, Fill>
}

const loaded = new WeakMap<Table, AreaViews>()

/** Loads what areas declare. @throws TableError naming every faulty declaration */
export async function loadAreaViews(table: Table): Promise<AreaViews> {
  const known = loaded.get(table)
  if (known) return known
  const brought = await Promise.all(
    table.areas.map(async area => Object.entries((await area.views?.()) ?? {}).map(([name, face]) => ({ area, name, face }))),
  )
  const views = gather(table, brought.flat())
  loaded.set(table, views)
  return views
}

/** @throws Error if they have not been loaded */
function areaViews(table: Table): AreaViews {
  const known = loaded.get(table)
  if (!known) throw new Error('The views of areas are loaded before the first page is opened')
  return known
}

interface Brought {
  readonly area: Area
  readonly name: string
  readonly face: Face
}

function gather(table: Table, all: readonly Brought[]): AreaViews {
  const answered = answeredBy(table)
  const places = new Map<unknown, string>()
  const faults: string[] = []
  const made = {
    views: new Map<TSchema, View>(),
    listViews: new Map<TSchema, View>(),
    forms: new Map<Operation, FormLayout>(),
    settings: new Map<Operation, SettingsLayout>(),
    fills: new Map<Slot<never, unknown>, Fill>(),
  }
  /** @param of what the declaration is found by */
  const add = <K, V>({ to, of, value, place, what }: { to: Map<K, V>; of: K; value: V; place: string; what: string }) => {
    if (to.has(of)) faults.push(`${what} has two: ${places.get(to.get(of))} and ${place}`)
    to.set(of, value)
    places.set(value, place)
  }
  for (const { area, name, face } of all) {
    const place = `${name} of the area ${area.name}`
    if (isView(face)) {
      const isList = face.kind === 'listView'
      const record = `${isList ? 'a list of ' : ''}${face.schema.title ?? 'a record without a name'}`
      add({ to: isList ? made.listViews : made.views, of: face.schema, value: face, place, what: `view of ${record}:` })
      if (!(isList ? answered.lists : answered.records).has(face.schema)) faults.push(`${place}: no operation answers ${record}`)
    } else if (isFormLayout(face))
      add({ to: made.forms, of: face.operation, value: face, place, what: `form of ${face.operation.method} ${face.operation.path}:` })
    else if (isSettings(face))
      add({
        to: made.settings,
        of: face.operation,
        value: face,
        place,
        what: `settings of ${face.operation.method} ${face.operation.path}:`,
      })
    else if (isFill(face)) add({ to: made.fills, of: face.slot, value: face, place, what: `slot "${face.slot.name}":` })
    else faults.push(`${place}: is not a view; pages.tsx must export only results of view, listView, form, settings and fill`)
  }
  if (faults.length > 0) throw new TableError(faults)
  return made
}

const isView = (face: Face): face is View => face?.kind === 'view' || face?.kind === 'listView'
const isFormLayout = (face: Face): face is FormLayout => face?.kind === 'form'
const isSettings = (face: Face): face is SettingsLayout => face?.kind === 'settings'
const isFill = (face: Face): face is Fill => face?.kind === 'fill'

/** The schema of what an operation answers, as its area declares it; for a list, the schema of each record. */
export const schemaOf = ({ declared, answers }: NamedOperation): TSchema =>
  answers.kind === 'list' ? (declared.output.items as TSchema) : declared.output // `list` declares it so

const isListed = ({ answers }: NamedOperation): boolean => answers.kind === 'list'

/** The view of what an operation answers. */
export function viewOf(table: Table, operation: NamedOperation): View | undefined {
  const { views, listViews } = areaViews(table)
  return (isListed(operation) ? listViews : views).get(schemaOf(operation))
}

/** Whether the view contains the content of another page. */
export const containsPage = ({ options: { parts } }: View, page: NamedOperation): boolean => parts?.includes(schemaOf(page)) === true
/** Whether a view shows the content of a page in a slot, so that the page needs no tab. */
export const isInFill = (table: Table, page: NamedOperation): boolean =>
  [...areaViews(table).fills.values()].some(({ parts }) => parts?.includes(schemaOf(page)) === true)
export const hasView = (table: Table, operation: NamedOperation): boolean => viewOf(table, operation) !== undefined
export const formOf = (table: Table, operation: NamedOperation): FormLayout | undefined => areaViews(table).forms.get(operation.declared)
export const settingsOf = (table: Table, operation: NamedOperation): SettingsLayout | undefined =>
  areaViews(table).settings.get(operation.declared)
export const fillOf = (table: Table, slot: Slot<never, unknown>): Fill | undefined => areaViews(table).fills.get(slot)

interface Answered {
  readonly records: ReadonlyMap<TSchema, readonly NamedOperation[]>
  readonly lists: ReadonlyMap<TSchema, readonly NamedOperation[]>
  readonly rows: ReadonlyMap<Operation, NamedOperation>
}
const known = new WeakMap<Table, Answered>()

/** Operations by the schema of what they answer: those with a page first, then other reads, then writes. */
function answeredBy(table: Table): Answered {
  const found = known.get(table)
  if (found) return found
  const all = [...table.operations.values()].filter(({ answers }) => isEnvelope(answers))
  const inOrder = all.toSorted((a, b) => rankOf(a) - rankOf(b))
  const bySchema = (isList: boolean) => {
    const found = new Map<TSchema, NamedOperation[]>()
    for (const each of inOrder.filter(each => isListed(each) === isList))
      found.set(schemaOf(each), [...(found.get(schemaOf(each)) ?? []), each])
    return found
  }
  const made = {
    records: bySchema(false),
    lists: bySchema(true),
    rows: new Map([...table.operations.values()].map(each => [each.declared, each] as const)),
  }
  known.set(table, made)
  return made
}

const rankOf = (operation: NamedOperation): number => (hasPage(operation) ? 0 : operation.method === 'GET' ? 1 : 2)

/**
 * The operation of this table that a view names. A record or a list may be answered by several: it is the first whose path
 * needs no other parameters than these.
 */
export function operationOf(table: Table, shows: Shows, path: Readonly<Record<string, unknown>> = {}): NamedOperation | undefined {
  const { rows, lists, records } = answeredBy(table)
  if (isOperation(shows)) return rows.get(shows)
  const answer = (isListOf(shows) ? lists.get(shows.listed) : records.get(shows)) ?? []
  return answer.find(({ pathInput }) => Object.keys(pathInput).every(name => path[name] !== undefined)) ?? answer[0]
}

const isOperation = (shows: Shows): shows is Operation => 'run' in shows
const isListOf = (shows: Shows): shows is ListOf => 'listed' in shows
