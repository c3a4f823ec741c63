/**
 * Replaces names in the input for ids, at any depth: `goal_ids`, `uptime_check_id`, `steps[].goal_id`. The ids come from the
 * lists that the caller may see (complete-path.ts). A name that no record has, or several have, stays, and the operation
 * refuses it.
 */
import type { TObject, TSchema } from '@sinclair/typebox'
import { isObject } from '../values/json.ts'
import { type Reference, referenceOf } from '../table/subject-finders.ts'
import type { NamedOperation } from '../table/table.ts'
import type { Call } from './call.ts'
import { idsIn, isCalled, isId, type Lists, recordsOf } from './complete-path.ts'

/** Most names of one call that are looked up; each costs a query, or one for each site if the call names none. */
const maxNamed = 40
/** Most lists of sites that the call does not name. */
const maxLists = 200
/** Longer lists are refused later. */
const maxItems = 1_000

/** Whether a field of the input, at any depth, may refer to a record. */
export function hasIds({ input }: Pick<NamedOperation, 'input'>): boolean {
  const refers = (schema: TSchema): boolean =>
    variantsOf(schema).some(each =>
      each.type === 'array'
        ? isObject(each.items) && refers(each.items as TSchema)
        : Object.entries<TSchema>(each.properties ?? {}).some(([name, inner]) => /_ids?$/.test(name) || refers(inner)),
    )
  return refers(input)
}

export async function completeInput(call: Call): Promise<void> {
  const lookup: Lookup = { call, found: new Map(), lists: { left: maxLists } }
  await inFields(lookup, call.operation.input, { fields: call.input, around: new Map() })
}

interface Lookup {
  readonly call: Call
  /** Ids by the name that was looked up and its place. */
  readonly found: Map<string, string | undefined>
  readonly lists: Lists
}

interface Inside<T> {
  readonly fields: T
  /** Ids of subjects that the objects around these fields name, such as the site of a card. */
  readonly around: ReadonlyMap<string, string>
}

type Fields = Record<string, unknown>

/** Changes the fields in place: references first, because those to sites say where the other records are. */
async function inFields(lookup: Lookup, { properties }: Pick<TObject, 'properties'>, { fields, around }: Inside<Fields>): Promise<void> {
  const { table } = lookup.call.core
  const names = Object.keys(properties).filter(name => Object.hasOwn(fields, name))
  const references = names.flatMap(name => {
    const reference = referenceOf(table, name)
    return reference ? [{ name, reference }] : []
  })
  for (const { name, reference } of references.toSorted((a, b) => depthOf(a.reference) - depthOf(b.reference))) {
    const here = new Map([...around, ...idsIn(fields, reference.subject)])
    fields[name] = await referred(lookup, { given: fields[name], reference, around: here })
  }
  const inner = new Map([...around, ...idsIn(fields, '')])
  for (const name of names) {
    const schema = properties[name]
    if (schema && typeof fields[name] === 'object') fields[name] = await inValue(lookup, schema, { fields: fields[name], around: inner })
  }
}

/** @returns the value with ids; objects are copied, because the value belongs to the request */
async function inValue(lookup: Lookup, schema: TSchema, { fields: value, around }: Inside<unknown>): Promise<unknown> {
  const variants = variantsOf(schema)
  if (Array.isArray(value)) {
    if (value.length > maxItems) return value
    const items: TSchema | undefined = variants.find(({ type }) => type === 'array')?.items
    if (!items || !variantsOf(items).some(each => each.properties || each.type === 'array')) return value
    const copied: unknown[] = []
    for (const each of value) copied.push(await inValue(lookup, items, { fields: each, around }))
    return copied
  }
  const record = variants.find(({ properties }) => properties !== undefined)
  if (!record || !isObject(value)) return value
  const copy: Fields = { ...value }
  await inFields(lookup, { properties: record.properties }, { fields: copy, around })
  return copy
}

interface Referring {
  readonly given: unknown
  readonly reference: Reference
  readonly around: ReadonlyMap<string, string>
}

async function referred(lookup: Lookup, { given, reference, around }: Referring): Promise<unknown> {
  const { subject, isList } = reference
  if (!isList) return (await idOf(lookup, { subject, given, around })) ?? given
  if (!Array.isArray(given) || given.length > maxItems) return given
  const ids: unknown[] = []
  for (const each of given) ids.push((await idOf(lookup, { subject, given: each, around })) ?? each)
  return ids
}

interface Named {
  readonly subject: string
  readonly given: unknown
  readonly around: ReadonlyMap<string, string>
}

async function idOf({ call, found, lists }: Lookup, { subject, given, around }: Named): Promise<string | undefined> {
  if (typeof given !== 'string' || given === '' || isId(given)) return undefined
  const key = JSON.stringify([subject, given, ...around])
  if (!found.has(key) && found.size < maxNamed) {
    const named = (await recordsOf(call, { subject, wanted: given, nested: around }, lists)).filter(record => isCalled(record, given))
    const ids = new Set(named.map(({ id }) => id))
    const [only] = ids
    found.set(key, ids.size === 1 ? only : undefined)
  }
  return found.get(key)
}

const containers: readonly string[] = ['workspace', 'site']
const depthOf = ({ subject }: Reference): number => (containers.includes(subject) ? 0 : 1)
const variantsOf = (schema: TSchema): readonly TSchema[] => schema.anyOf ?? [schema]
