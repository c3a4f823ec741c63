/**
 * What a form was drawn from: a digest of each field, which the form sends along. So only what a person changed is saved, and
 * only over the value that they saw (docs/pages.md).
 */
import { fail } from '../table/errors.ts'
import { canonical, isObject } from '../values/json.ts'
import { digestOf, type Precondition } from '../table/record-versions.ts'

type Fields = Readonly<Record<string, unknown>>

/** Digests by the names of fields. */
export type Drawn = ReadonlyMap<string, string>

/** Name of the hidden field. */
export const drawnField = '_drawn'
/** The choice of a person between two values of a field: `_keep/theme`. */
export const keepField = (name: string): string => `_keep/${name}`
export const [mine, theirs] = ['mine', 'theirs'] as const

/** What an empty control, and one that is not checked, cannot tell apart is the same. */
function plain(value: unknown): unknown {
  if (value === null || value === '' || value === false) return undefined
  if (typeof value === 'string') return value.replaceAll('\r\n', '\n').trim() || undefined
  if (Array.isArray(value)) {
    const items = value.map(plain).filter(item => item !== undefined)
    return items.length > 0 ? items : undefined
  }
  if (!isObject(value)) return value
  const fields = Object.entries(value).flatMap(([name, each]) => {
    const kept = plain(each)
    return kept === undefined ? [] : [[name, kept] as const]
  })
  return fields.length > 0 ? Object.fromEntries(fields) : undefined
}

export const fieldDigest = (value: unknown): string => digestOf(canonical(plain(value) ?? null))

/** As the hidden field has it. */
export const drawnText = (drawn: Drawn): string => [...drawn].map(([name, digest]) => `${name}:${digest}`).join(' ')
export const digestsOf = (fields: Fields): Drawn => new Map(Object.entries(fields).map(([name, value]) => [name, fieldDigest(value)]))

/** More than an input has. */
const mostFields = 200
/** Empty for a form that says nothing of what it was drawn from. */
export function drawnIn(text: string | null): Drawn {
  const found = (text ?? '').matchAll(/(?<!\S)([a-z]\w{0,63}):([\w-]{16})(?!\S)/g)
  return new Map([...found].slice(0, mostFields).map(([, name = '', digest = '']) => [name, digest]))
}

export interface Change {
  /** The fields that are no more as they were drawn. */
  readonly changed: Fields
  /** Refuses to save one over a value that nobody saw. */
  readonly precondition: Precondition
  /** Set by the precondition: the values that stand now where it refused to save others. */
  saved: Fields
}

/** @param shown a value as its control shows it, which may be less than it is */
export function changeSince(
  drawn: Drawn,
  values: Fields,
  typed: URLSearchParams,
  shown: (name: string, value: unknown) => unknown = (_, value) => value,
): Change {
  const digest = (name: string, value: unknown) => fieldDigest(shown(name, value))
  const isChanged = ([name, value]: [string, unknown]) => drawn.get(name) !== digest(name, value) && typed.get(keepField(name)) !== theirs
  const changed = Object.entries(values).filter(isChanged)
  const change: Change = {
    changed: Object.fromEntries(changed),
    saved: {},
    precondition(current) {
      const names = current ? conflictsOf(drawn, change.changed, current.record, digest) : []
      if (names.length === 0) return
      change.saved = Object.fromEntries(names.map(name => [name, current?.record[name]]))
      fail('edit_conflict')
    },
  }
  return change
}

/** Fields that have become something else than what the form was drawn from, and than what it sends. */
export const conflictsOf = (
  drawn: Drawn,
  changed: Fields,
  record: Fields,
  digest: (name: string, value: unknown) => string,
): readonly string[] =>
  Object.entries(changed)
    .filter(([name, value]) => {
      const now = digest(name, record[name])
      return Object.hasOwn(record, name) && drawn.has(name) && now !== drawn.get(name) && now !== digest(name, value)
    })
    .map(([name]) => name)
