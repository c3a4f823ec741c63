/**
 * Digests of the values that a form was drawn with. The form sends them along, so that only the fields that a person changed
 * are saved, and only over the values that the person saw (docs/pages.md).
 */
import { fail } from '../table/errors.ts'
import { canonical, isObject } from '../values/json.ts'
import { digestOf, type Precondition } from '../table/record-versions.ts'

type Fields = Readonly<Record<string, unknown>>

/** Digests by the names of fields. */
export type Drawn = ReadonlyMap<string, string>

/** Name of the hidden field. */
export const drawnField = '_drawn'
/** Name of the field in which a person chooses between two values of a field: `_keep/theme`. */
export const keepField = (name: string): string => `_keep/${name}`
export const [mine, theirs] = ['mine', 'theirs'] as const

/** Makes values equal that an empty or unchecked control cannot distinguish. */
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

/** The text of the hidden field. */
export const drawnText = (drawn: Drawn): string => [...drawn].map(([name, digest]) => `${name}:${digest}`).join(' ')
export const digestsOf = (fields: Fields): Drawn => new Map(Object.entries(fields).map(([name, value]) => [name, fieldDigest(value)]))

/** Most fields that are read; no input has as many. */
const maxFields = 200
/** The digests that a form sent; empty if it sent none. */
export function drawnIn(text: string | null): Drawn {
  const found = (text ?? '').matchAll(/(?<!\S)([a-z]\w{0,63}):([\w-]{16})(?!\S)/g)
  return new Map([...found].slice(0, maxFields).map(([, name = '', digest = '']) => [name, digest]))
}

export interface Change {
  /** The fields whose values differ from those that the form was drawn with. */
  readonly changed: Fields
  /** Refuses to overwrite a value that the form did not show. */
  readonly precondition: Precondition
  /** Set by the precondition: the current values of the fields that it refused to overwrite. */
  saved: Fields
}

interface ChangeSince {
  readonly drawn: Drawn
  readonly values: Fields
  readonly typed: URLSearchParams
  readonly shown?: ((name: string, value: unknown) => unknown) | undefined
}

/** @param shown returns a value as its control shows it, which may be only a part of it */
export function changeSince({ drawn, values, typed, shown = (_, value) => value }: ChangeSince): Change {
  const digest = (name: string, value: unknown) => fieldDigest(shown(name, value))
  const isChanged = ([name, value]: [string, unknown]) => drawn.get(name) !== digest(name, value) && typed.get(keepField(name)) !== theirs
  const changed = Object.entries(values).filter(isChanged)
  const change: Change = {
    changed: Object.fromEntries(changed),
    saved: {},
    precondition(current) {
      const names = current ? conflictsOf({ drawn, changed: change.changed, record: current.record, digest }) : []
      if (names.length === 0) return
      change.saved = Object.fromEntries(names.map(name => [name, current?.record[name]]))
      fail('edit_conflict')
    },
  }
  return change
}

interface ConflictsOf {
  readonly drawn: Drawn
  readonly changed: Fields
  readonly record: Fields
  readonly digest: (name: string, value: unknown) => string
}

/** Fields whose current values differ both from those that the form was drawn with and from those that it sends. */
export const conflictsOf = ({ drawn, changed, record, digest }: ConflictsOf): readonly string[] =>
  Object.entries(changed)
    .filter(([name, value]) => {
      const now = digest(name, record[name])
      return Object.hasOwn(record, name) && drawn.has(name) && now !== drawn.get(name) && now !== digest(name, value)
    })
    .map(([name]) => name)
