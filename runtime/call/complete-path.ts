/**
 * Ids that a caller need not know, on surfaces where a person or a model types them: what a path names may be left out
 * where there is one, and named as people name it (`example.com`); where it cannot be found, the answer says what there
 * is to choose from. All of it comes from the list of its kind, called as the caller: nobody learns of more than that
 * list shows. Over HTTP a path is whole, and every id that is not found answers the same bytes.
 */
import { clipped } from '../values/clip.ts'
import { Failure, failWith } from '../table/errors.ts'
import { finderBeside, findersOf } from '../table/subject-finders.ts'
import { isObject } from '../values/json.ts'
import type { NamedOperation } from '../table/table.ts'
import type { Answered, Call } from './call.ts'
import { findSubjects, missingPermission } from './find-subjects.ts'
import { checkInput, readInput } from './read-input.ts'
import { run } from './run.ts'

/** Whether a path parameter goes without saying where there is one of its kind. What is deleted is always named. */
export function mayBeLeftOut({ effect, on, onParameters }: NamedOperation, parameter: string): boolean {
  const depth = onParameters.indexOf(parameter)
  if (depth < 0 || parameter === 'id') return false
  return effect !== 'delete' || depth < on.length - 1
}

/** @throws Failure `validation_failed`, `not_found`, naming what there is to choose from */
export async function completePath(call: Call): Promise<void> {
  const { operation } = call
  for (const [depth, { name }] of operation.on.entries()) {
    const parameter = operation.onParameters[depth] ?? ''
    const given = call.path[parameter]
    if (given === undefined ? !mayBeLeftOut(operation, parameter) : typeof given !== 'string' || isId(given)) continue
    // A call that is not permitted at all is refused by findSubjects, before anything is looked up.
    if (depth > 0 && depth === operation.on.length - 1 && call.caller && missingPermission(operation, call.caller)) return
    const id = typeof given === 'string' ? await named(call, parameter, name, given) : await onlyOne(call, parameter, name)
    if (id !== undefined) call.path = { ...call.path, [parameter]: id }
  }
}

async function onlyOne(call: Call, parameter: string, subject: string): Promise<string | undefined> {
  const choices = await choicesOf(call, subject, undefined)
  if (choices && choices.total !== 1)
    failWith([{ pointer: `/${parameter}`, code: 'required', message: `${parameter} is required: ${inWords(choices)}.` }])
  return choices?.records[0]?.id
}

async function named(call: Call, parameter: string, subject: string, given: string): Promise<string | undefined> {
  const choices = await choicesOf(call, subject, given)
  const [only, ...others] = choices?.records.filter(record => isCalled(record, given)) ?? []
  if (only && others.length === 0) return only.id
  throw notFound(parameter, subject, await choicesOf(call, subject, undefined))
}

/** Names in the input where ids stand: `segment_id`, `channel_ids`. What is not found stays, for the operation to refuse. */
export async function completeInput(call: Call): Promise<void> {
  const { operation, input } = call
  const idOf = async (subject: string, given: unknown): Promise<unknown> => {
    if (typeof given !== 'string' || given === '' || isId(given)) return given
    const [only, ...others] = (await choicesOf(call, subject, given))?.records.filter(record => isCalled(record, given)) ?? []
    return only && others.length === 0 ? only.id : given
  }
  for (const field of Object.keys(operation.input.properties)) {
    const [, subject, many] = idField.exec(field) ?? []
    const given = input[field]
    if (subject === undefined || given === undefined || findersOf(call.core.table, subject).length === 0) continue
    if (!many) input[field] = await idOf(subject, given)
    else if (Array.isArray(given) && given.length <= mostNamed) input[field] = await Promise.all(given.map(each => idOf(subject, each)))
  }
}

const idField = /^(\w+)_id(s?)$/
export const hasIds = ({ input }: NamedOperation): boolean => Object.keys(input.properties).some(name => idField.test(name))

/** Things of one kind in a list; each costs a query. */
const mostNamed = 20

interface Choice {
  readonly id: string
  readonly names: readonly string[]
}
export interface Choices {
  readonly records: readonly Choice[]
  /** Number of records in the list, of which `records` is the first page. */
  readonly total: number
}

/**
 * The records of a kind that the caller may see, within those the call names already; undefined if it may see no list of them.
 * @param wanted searched for, where the list can be searched
 * @param beside ids of other subjects, by their names, where the call names them deeper in its input
 */
export async function choicesOf(
  call: Call,
  subject: string,
  wanted: string | undefined,
  beside: ReadonlyMap<string, string> = new Map(),
): Promise<Choices | undefined> {
  const known = new Map([...namedBy(call, subject), ...beside])
  const finder = finderBeside(call.core.table, subject, new Set(known.keys()))
  if (!finder || !call.caller || missingPermission(finder, call.caller)) return undefined
  const search = wanted !== undefined && Object.hasOwn(finder.input.properties, 'search') ? { search: folded(wanted) } : {}
  const path = Object.fromEntries(finder.on.map(({ name }, depth) => [finder.onParameters[depth] ?? '', known.get(name)]))
  const given = Object.fromEntries(Object.entries(path).filter(([, id]) => id !== undefined))
  const answer = await listedFor(call, finder, given, { per_page: 100, ...search })
  if (!answer) return undefined
  const { data, meta } = answer
  const records = Array.isArray(data) ? data.flatMap(choice) : []
  return { records, total: typeof meta.total === 'number' ? meta.total : records.length }
}

/** The answer of a list to this caller, as if called directly; undefined if refused. */
export async function listedFor(
  call: Call,
  list: NamedOperation,
  path: Readonly<Record<string, unknown>>,
  input: Readonly<Record<string, unknown>>,
): Promise<Answered | undefined> {
  const listing = callWithin(call, list, path, input)
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
export const callWithin = (
  call: Call,
  operation: NamedOperation,
  path: Readonly<Record<string, unknown>>,
  input: Readonly<Record<string, unknown>>,
): Call => ({
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

/** Ids of subjects that stand in the call already. */
function namedBy({ operation, path, input }: Call, but: string): Map<string, string> {
  const known = idsIn(input, but)
  for (const [depth, { name }] of operation.on.entries()) {
    const id = path[operation.onParameters[depth] ?? '']
    if (name !== but && typeof id === 'string') known.set(name, id)
  }
  return known
}

/** Ids of subjects among the fields of an object, by the subject: `site_id`. */
export function idsIn(fields: Readonly<Record<string, unknown>>, but: string): Map<string, string> {
  const known = new Map<string, string>()
  for (const [name, id] of Object.entries(fields)) {
    const [, subject, many] = idField.exec(name) ?? []
    if (subject !== undefined && !many && subject !== but && typeof id === 'string') known.set(subject, id)
  }
  return known
}

/** Fields of records that people name them by, the clearest first. */
const naming = ['domain', 'name', 'email'] as const

function choice(record: unknown): Choice[] {
  if (!isObject(record) || typeof record.id !== 'string') return []
  return [{ id: record.id, names: naming.map(field => record[field]).filter(name => typeof name === 'string') }]
}

/** A domain as an address bar shows it is the domain. */
const folded = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/$/, '')
export const isCalled = ({ id, names }: Choice, given: string): boolean =>
  id === given || names.some(name => folded(name) === folded(given))

/** A prefix and 23 characters, or a UUID (ids.ts), whatever it is of. */
const isId = (text: string): boolean => /^([a-z]{2,5}_[0-9a-z]{23}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.test(text)

const mostShown = 10

export function inWords({ records, total }: Choices): string {
  if (records.length === 0) return 'there is none that this token reaches'
  const shown = records.slice(0, mostShown).map(({ id, names: [name] }) => (name === undefined ? id : `${clipped(name, 60)} (${id})`))
  return `there ${total === 1 ? 'is' : 'are'} ${shown.join(', ')}${total > shown.length ? ` and ${total - shown.length} more` : ''}`
}

/** The id is not repeated: one that is another's, one that is nobody's and one that is none answer the same bytes. */
export function notFound(parameter: string, subject: string, choices: Choices | undefined): Failure {
  const message = `${parameter} names no ${subject.replaceAll('_', ' ')} that this token reaches${choices ? `; ${inWords(choices)}` : ''}.`
  return new Failure('not_found', undefined, [{ pointer: `/${parameter}`, code: 'not_found', message }])
}
