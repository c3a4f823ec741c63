/**
 * Completes ids on surfaces where a person or a model types them. An id may be omitted if there is only one record, or be
 * replaced by a name (`example.com`). If no record is found, the answer lists the choices. All of this comes from the list of
 * the same kind, called for the caller, so that it reveals no more than that list.
 *
 * Over HTTP, names are allowed only if the path has the domain of its site: `/sites/example.com/goals/Signup`. No id is
 * completed, and every unknown id or name answers the same bytes.
 */
import { composed } from '../../storage/values/composed.ts'
import { clipped } from '../values/clip.ts'
import { Failure, failWith } from '../table/errors.ts'
import { cheapestFinder, subjectNamed, substitutesOf } from '../table/subject-finders.ts'
import { isObject } from '../values/json.ts'
import type { NamedOperation } from '../table/table.ts'
import type { Answered, Call } from './call.ts'
import { findSubjects, missingPermission } from './find-subjects.ts'
import { checkInput, readInput } from './read-input.ts'
import { run } from './run.ts'
import { fieldTerm, type Message } from '../texts/message.ts'
import { m } from './messages.ts'
import { isBlank } from './blank-arguments.ts'

/** Whether a path parameter may be omitted if there is only one record of its kind. The record that a call deletes is always named. */
export function mayBeLeftOut({ effect, on, onParameters }: NamedOperation, parameter: string): boolean {
  const depth = onParameters.indexOf(parameter)
  if (depth < 0 || parameter === 'id') return false
  return effect !== 'delete' || depth < on.length - 1
}

/** Completes as the surface allows. @throws Failure `validation_failed`, `not_found`, with the choices */
export function complete(call: Call): Promise<void> | void {
  const { completes } = call.request
  if (completes === true) return completePath(call)
  if (completes === 'at domain' && namesDomain(call)) return completeAtDomain(call)
}

/** Whether names replace ids in the input of this call. */
export const takesNames = (call: Call): boolean =>
  call.request.completes === true || (call.request.completes === 'at domain' && namesDomain({ ...call, path: call.request.path }))

/** Ids have an underscore; domains have none. */
function namesDomain({ operation, path }: Pick<Call, 'operation' | 'path'>): boolean {
  const [outermost] = operation.on
  const given = path[operation.onParameters[0] ?? '']
  return outermost?.calledBy === 'domain' && typeof given === 'string' && given !== '' && !given.includes('_')
}

/** A name that is not found stays, and `findSubjects` answers that nothing is there. */
async function completeAtDomain(call: Call): Promise<void> {
  const { operation } = call
  for (const [depth, { name }] of operation.on.entries()) {
    const parameter = operation.onParameters[depth] ?? ''
    const given = call.path[parameter]
    if (typeof given !== 'string' || isId(given)) continue
    if (depth > 0 && call.caller && missingPermission(operation, call.caller)) return
    const found = (await choicesOf(call, { subject: name, wanted: given }))?.records.filter(record => isCalled(record, given)) ?? []
    const [only, ...others] = found
    if (!only || others.length > 0) return
    call.path = { ...call.path, [parameter]: only.id }
  }
}

/** @throws Failure `validation_failed`, `not_found`, with the choices */
export async function completePath(call: Call): Promise<void> {
  const { operation } = call
  for (const [depth, { name }] of operation.on.entries()) {
    const parameter = operation.onParameters[depth] ?? ''
    const given = isBlank(call.path[parameter]) ? undefined : call.path[parameter]
    if (given === undefined ? !mayBeLeftOut(operation, parameter) : typeof given !== 'string' || isId(given)) continue
    // A call that is not permitted at all is refused by findSubjects, before anything is looked up.
    if (depth > 0 && depth === operation.on.length - 1 && call.caller && missingPermission(operation, call.caller)) return
    const id = typeof given === 'string' ? await named(call, { parameter, subject: name, given }) : await onlyOne(call, parameter, name)
    if (id !== undefined) call.path = { ...call.path, [parameter]: id }
  }
}

async function onlyOne(call: Call, parameter: string, subject: string): Promise<string | undefined> {
  const choices = await choicesOf(call, { subject, wanted: undefined })
  if (choices && choices.total !== 1)
    failWith([
      { pointer: `/${parameter}`, code: 'required', message: m.required_of({ field: fieldTerm(parameter), choices: inWords(choices) }) },
    ])
  return choices?.records[0]?.id
}

async function named(
  call: Call,
  { parameter, subject, given }: { parameter: string; subject: string; given: string },
): Promise<string | undefined> {
  const choices = await choicesOf(call, { subject, wanted: given })
  const [only, ...others] = choices?.records.filter(record => isCalled(record, given)) ?? []
  if (only && others.length === 0) return only.id
  const substitutes = await substitutesIn(call, subject)
  const [substitute, ...more] = only ? [] : substitutes.filter(record => isCalled(record, given))
  if (substitute && more.length === 0) return substitute.id
  throw notFound(parameter, subject, await choicesShown(call, subject, substitutes))
}

/** The records that an error names. @param substitutes records in its place, if they were read already */
export async function choicesShown(call: Call, subject: string, substitutes?: readonly Choice[]): Promise<Choices | undefined> {
  const all = await choicesOf(call, { subject, wanted: undefined })
  if (!all) return undefined
  const more = substitutes ?? (await substitutesIn(call, subject))
  return { records: [...all.records, ...more], total: all.total + more.length }
}

/** Records that the call may name in the place of a subject's, if the caller may list them. */
async function substitutesIn(call: Call, subject: string): Promise<readonly Choice[]> {
  if (!call.operation.groups) return []
  const known = namedBy(call, subject)
  const found: Choice[] = []
  for (const list of substitutesOf(call.core.table, subject)) {
    if (!call.caller || missingPermission(list, call.caller)) continue
    const path = list.on.flatMap(({ name }, depth) => (known.has(name) ? [[list.onParameters[depth] ?? '', known.get(name)]] : []))
    const answer = await listedFor(call, list, { path: Object.fromEntries(path), input: { per_page: 100 } })
    if (Array.isArray(answer?.data)) found.push(...answer.data.flatMap(record => choice(record, naming)))
  }
  return found
}

interface Choice {
  readonly id: string
  readonly names: readonly string[]
}
export interface Choices {
  readonly records: readonly Choice[]
  /** Number of records in the list, of which `records` is the first page. */
  readonly total: number
}

interface ChoicesOf {
  readonly subject: string
  readonly wanted: string | undefined
  readonly nested?: ReadonlyMap<string, string> | undefined
}

/**
 * The records of a kind that the caller may see, in the containers that the call names; undefined if the caller may not list them.
 * @param wanted a name to search for, if the list can be searched
 * @param nested ids of other subjects that the input names at deeper levels, by the names of the subjects
 */
export async function choicesOf(call: Call, { subject, wanted, nested = new Map() }: ChoicesOf): Promise<Choices | undefined> {
  const known = new Map([...namedBy(call, subject), ...nested])
  const finder = cheapestFinder(call.core.table, subject, new Set(known.keys()))
  if (!finder || !call.caller || missingPermission(finder, call.caller)) return undefined
  const search = wanted !== undefined && Object.hasOwn(finder.input.properties, 'search') ? { search: folded(wanted) } : {}
  const path = Object.fromEntries(finder.on.map(({ name }, depth) => [finder.onParameters[depth] ?? '', known.get(name)]))
  const given = Object.fromEntries(Object.entries(path).filter(([, id]) => id !== undefined))
  const answer = await listedFor(call, finder, { path: given, input: { per_page: 100, ...search } })
  if (!answer) return undefined
  const { data, meta } = answer
  const { calledBy } = subjectNamed(call.core.table, subject) ?? {}
  const fields = typeof calledBy === 'string' ? [calledBy, ...naming.filter(each => each !== calledBy)] : naming
  const records = Array.isArray(data) ? data.flatMap(record => choice(record, fields)) : []
  return { records, total: typeof meta.total === 'number' ? meta.total : records.length }
}

/** Most sites whose lists are searched for one name. */
const maxPlaces = 20

/** Number of lists that a call may still read to find names in sites that it does not name. */
export interface Lists {
  left: number
}

/**
 * Records of a kind. If they belong to a container that nothing names, those of every container that the input lists
 * (`site_ids`), otherwise of every one that the caller may see.
 * @returns none if there are more containers than are searched, or lists than are left: the name could also be in the others
 */
export async function recordsOf(call: Call, { nested = new Map(), ...sought }: ChoicesOf, lists: Lists): Promise<readonly Choice[]> {
  const { subject } = sought
  const known = new Set([...namedBy(call, subject), ...nested].map(([name]) => name))
  const finder = cheapestFinder(call.core.table, subject, known)
  const open = finder?.on.find(({ name }) => !known.has(name) && name !== 'workspace')?.name
  if (open === undefined) return (await choicesOf(call, { ...sought, nested }))?.records ?? []
  if (lists.left <= 0) return []
  const listed = call.input[`${open}_ids`]
  const ids: readonly unknown[] | undefined = Array.isArray(listed) && listed.length > 0 ? listed : undefined
  const choices = ids ? undefined : await choicesOf(call, { subject: open, wanted: undefined, nested })
  const searched = new Set(ids ?? choices?.records.map(({ id }) => id))
  if (Math.max(searched.size, choices?.total ?? 0) > maxPlaces) return []
  lists.left -= searched.size
  if (lists.left < 0) return []
  const found: Choice[] = []
  for (const place of searched)
    if (typeof place === 'string')
      found.push(...((await choicesOf(call, { ...sought, nested: new Map([...nested, [open, place]]) }))?.records ?? []))
  return found
}

/** Parameters of a read within a call: of its path, and its other input. */
interface ReadParameters {
  readonly path: Readonly<Record<string, unknown>>
  readonly input: Readonly<Record<string, unknown>>
}

/** The answer of a list to this caller, as if called directly; undefined if refused. */
export async function listedFor(call: Call, list: NamedOperation, parameters: ReadParameters): Promise<Answered | undefined> {
  const listing = callWithin(call, list, parameters)
  try {
    await completePath(listing)
    await findSubjects(listing)
    await readInput(listing)
    checkInput(listing)
    await run(listing)
  } catch (thrown) {
    if (thrown instanceof Failure) return undefined
    throw thrown
  }
  return listing.answer
}

/** Another read within a call, by the same caller. */
export const callWithin = (call: Call, operation: NamedOperation, { path, input }: ReadParameters): Call => ({
  ...call,
  operation,
  entry: operation,
  request: { ...call.request, operation, idempotencyKey: undefined, input: async () => input },
  path,
  place: { workspaceId: undefined, siteId: null, id: null },
  handed: {},
  input: {},
  key: undefined,
  answer: undefined,
})

/** Ids of subjects that the call names. */
function namedBy({ operation, path, input }: Call, but: string): Map<string, string> {
  const known = idsIn(input, but)
  for (const [depth, { name }] of operation.on.entries()) {
    const id = path[operation.onParameters[depth] ?? '']
    if (name !== but && typeof id === 'string') known.set(name, id)
  }
  return known
}

const idField = /^(\w+)_id(s?)$/

/** Ids of subjects among the fields of an object, by the subject: `site_id`. */
export function idsIn(fields: Readonly<Record<string, unknown>>, but: string): Map<string, string> {
  const known = new Map<string, string>()
  for (const [name, id] of Object.entries(fields)) {
    const [, subject, many] = idField.exec(name) ?? []
    if (subject !== undefined && !many && subject !== but && typeof id === 'string') known.set(subject, id)
  }
  return known
}

/** Fields with the names of records, the clearest first. */
const naming = ['domain', 'name', 'email'] as const

function choice(record: unknown, fields: readonly string[]): Choice[] {
  if (!isObject(record) || typeof record.id !== 'string') return []
  return [{ id: record.id, names: fields.map(field => record[field]).filter(name => typeof name === 'string') }]
}

/** Removes the parts that an address bar adds to a domain. */
const folded = (name: string): string =>
  composed(name)
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/$/, '')
/** Most characters of a name that is compared: no record has a longer one. */
const maxNameLength = 2_000
export const isCalled = ({ id, names }: Choice, given: string): boolean =>
  id === given || (given.length <= maxNameLength && names.some(name => folded(name) === folded(given)))

/** Whether it has the form of an id of any kind: a prefix and 23 characters, or a UUID (ids.ts). */
export const isId = (text: string): boolean => /^([a-z]{2,5}_[0-9a-z]{23}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.test(text)

const maxShown = 10

export function inWords({ records, total }: Choices): Message {
  if (records.length === 0) return m.no_choice()
  const shown = records.slice(0, maxShown).map(({ id, names: [name] }) => (name === undefined ? id : `${clipped(name, 60)} (${id})`))
  const more = total - shown.length
  return more > 0 ? m.choices_and_more({ count: total, names: shown, more }) : m.choices({ count: total, names: shown })
}

/** Does not repeat the id: the id of another workspace, an unknown id and a malformed id answer the same bytes. */
export function notFound(parameter: string, subject: string, choices: Choices | undefined): Failure {
  const params = { field: fieldTerm(parameter), subject: subject.replaceAll('_', ' ') }
  const message = choices ? m.names_none_of({ ...params, choices: inWords(choices) }) : m.names_none(params)
  return new Failure('not_found', undefined, { details: [{ pointer: `/${parameter}`, code: 'not_found', message }] })
}
