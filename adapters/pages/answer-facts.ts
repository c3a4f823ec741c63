/** Facts about an answer and its operation that a page needs before it shows them. */
import { type TSchema, Type } from '@sinclair/typebox'
import { type Answer, isRefusal } from '../../runtime/table/answer.ts'
import { isObject } from '../../runtime/values/json.ts'
import { takesConditions } from '../../runtime/table/schema.ts'
import type { NamedOperation, Table } from '../../runtime/table/table.ts'
import { versionedBy } from '../../runtime/table/record-versions.ts'
import { decodeQuery } from '../http/query.ts'
import { type AskList, choicesFor } from './choices.ts'
import type { Spot } from './page-tree.ts'
import type { Placed } from './record-links.ts'

/** Fields that the page shows elsewhere: the site and the workspace in the navigation, the period of a report in its toolbar. */
export function shownElsewhere(
  { answers }: NamedOperation,
  record: Readonly<Record<string, unknown>>,
  { siteId, workspaceId }: Placed,
): Set<string> {
  const ids = Object.entries(record).filter(([name, value]) => name !== 'id' && (value === siteId || value === workspaceId))
  return new Set([...ids.map(([name]) => name), ...(answers.kind === 'report' ? ['period'] : [])])
}

export const paramsOf = (url: URL): Record<string, string> => Object.fromEntries(url.searchParams)
export const parameterFor = ({ rowDoes }: Spot, operation: NamedOperation): string =>
  rowDoes.find(row => row.operation === operation)?.parameter ?? 'id'

export function contentOf(answer: Answer): { data: unknown; meta: Readonly<Record<string, unknown>> } {
  if (isRefusal(answer) || !isObject(answer.body)) return { data: undefined, meta: {} }
  return { data: answer.body.data, meta: isObject(answer.body.meta) ? answer.body.meta : {} }
}

/** Whether the record is in a state in which its page should offer the operation. */
export const isOffered = ({ offered }: NamedOperation, record: Readonly<Record<string, unknown>> | undefined): boolean =>
  !offered || (record !== undefined && isIn(offered, record))

/** Whether it cannot be undone: it deletes, or asks to type a name. */
export const isGrave = ({ effect, input }: NamedOperation): boolean => effect === 'delete' || Object.hasOwn(input.properties, 'confirm')

/** Whether the first record of the list in `offeredBy` is in such a state. A list that the viewer may not read withholds nothing. */
export async function isOfferedBy(
  table: Table,
  { each: { offeredBy }, path, askList }: { each: NamedOperation; path: Readonly<Record<string, string>>; askList: AskList },
): Promise<boolean> {
  const list = offeredBy && table.operations.get(offeredBy.list)
  const rows = list && (await askList(list, path, { per_page: 1 }))
  const [first] = rows ?? []
  return !offeredBy || rows === undefined || (isObject(first) && isIn(offeredBy.first, first))
}

const isIn = (states: Readonly<Record<string, readonly unknown[]>>, record: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(states).every(([field, values]) => values.includes(record[field]))

/** Whether an operation takes all ids of the list below its form, as the control for an order does. */
export const putsInOrder = ({ input }: NamedOperation): boolean => Object.hasOwn(input.properties, 'ids')

/** Ids that forms need not ask for, by the name of their record. */
export function knownIds(
  { on, onParameters }: NamedOperation,
  path: Readonly<Record<string, string>>,
  { workspaceId, siteId }: Placed,
): Map<string, string> {
  const known = new Map<string, string>()
  if (workspaceId !== undefined) known.set('workspace', workspaceId)
  if (siteId !== null) known.set('site', siteId)
  for (const [depth, { name }] of on.entries()) {
    const id = path[onParameters[depth] ?? '']
    if (id !== undefined) known.set(name, id)
  }
  return known
}

interface NamesOf {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  readonly siteId: string | null
  readonly known: ReadonlyMap<string, string>
  readonly ask: AskList
}

/** Names of the sites in a list over several sites, by id. */
export async function namesOf(table: Table, { rows, siteId, known, ask }: NamesOf): Promise<ReadonlyMap<string, string>> {
  if (siteId !== null || !rows.some(row => typeof row.site_id === 'string' || Array.isArray(row.site_ids))) return new Map()
  const choices = await choicesFor(table, { input: Type.Object({ site_id: Type.String() }), known, ask })
  return new Map((choices.get('site_id') ?? []).map(({ id, name }) => [id, name]))
}

interface NamesIn {
  readonly operation: NamedOperation
  readonly record: Readonly<Record<string, unknown>>
  readonly known: ReadonlyMap<string, string>
  readonly ask: AskList
}

/** Names of the records that a record refers to, by id, if the viewer may list them. Omits the site and workspace of the page. */
export async function namesIn(table: Table, { operation: { output }, record, known, ask }: NamesIn): Promise<ReadonlyMap<string, string>> {
  const named = new Set(known.values())
  const isNamed = ([name, schema]: [string, TSchema]): boolean => {
    const value = record[name]
    return (
      /_ids?$/.test(name) &&
      schema !== undefined &&
      (Array.isArray(value) ? value.length > 0 : typeof value === 'string' && !named.has(value))
    )
  }
  const fields = Object.entries<TSchema>(output.properties ?? {}).filter(isNamed)
  if (fields.length === 0) return new Map()
  const choices = await choicesFor(table, { input: Type.Object(Object.fromEntries(fields)), known, ask })
  return new Map([...choices.values()].flat().map(({ id, name }) => [id, name]))
}

/** Whether an operation changes the record that its input names, instead of a record that its page shows. */
export const isBlind = (table: Table, { id, method }: NamedOperation): boolean => method === 'PATCH' && !versionedBy(table).has(id)

/** Returns the initial values of a form: the record, or the defaults. */
export function valuesOf(operation: NamedOperation, record: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> {
  const defaults = Object.entries<TSchema>(operation.input.properties).map(([name, schema]) => [name, schema.default] as const)
  const now =
    operation.method === 'PATCH' && record ? Object.entries(record).filter(([name]) => Object.hasOwn(operation.input.properties, name)) : []
  return { ...Object.fromEntries(defaults), ...Object.fromEntries(now) }
}

/** Reads values of a form from the address: `?do=…&site_id=…`. */
export const valuesIn = ({ input }: NamedOperation, url: URL): Record<string, unknown> =>
  decodeQuery(input, new URLSearchParams([...url.searchParams].filter(([name]) => Object.hasOwn(input.properties, name))))

/** Inputs of reports that have controls of their own above them. */
export function toolbarOf({ input, answers }: NamedOperation): string[] {
  if (answers.kind !== 'report') return []
  const filters = Object.entries<TSchema>(input.properties).filter(([, schema]) => schema[takesConditions])
  const period = [
    'period',
    'from',
    'to',
    'compare',
    'compare_from',
    'compare_to',
    'match_weekday',
    'segment_id',
    'include_imported',
  ].filter(name => Object.hasOwn(input.properties, name))
  return [...period, ...filters.map(([name]) => name)]
}
