/**
 * Versions of records. A change can be made on condition that the record is still as it was when it was read, so that it
 * undoes no change of another caller: over HTTP by `If-Match`, on pages by what a form was drawn from.
 */
import { hash } from 'node:crypto'
import { isObject } from '../values/json.ts'
import type { NamedOperation, Table } from './table.ts'

type Fields = Readonly<Record<string, unknown>>

/** A record that can be read and changed. */
export interface Versioned {
  /** The operation that answers it. */
  readonly read: NamedOperation
  /** The fields that its version covers: those that callers can change. Undefined: all. */
  readonly fields: readonly string[] | undefined
}

/** The record that a write is about to change; undefined if no operation answers it. */
export interface Current {
  readonly record: Fields
  readonly version: string
}

/** @throws Failure if the write must not be made */
export type Precondition = (current: Current | undefined) => void

/** Other values of a record change by themselves, such as when a check ran last: they are not part of its version. */
export function versionOf({ fields }: Versioned, record: Fields): string {
  return digestOf(JSON.stringify(fields ? fields.map(name => record[name]) : record))
}

/** 96 bits of SHA-256. */
export const digestOf = (text: string): string => hash('sha256', text, 'base64url').slice(0, 16)

const known = new WeakMap<Table, ReadonlyMap<string, Versioned>>()
/** By the id of an operation: the record that it answers, changes or deletes, or does something with. */
export function versionedBy(table: Table): ReadonlyMap<string, Versioned> {
  let versioned = known.get(table)
  if (!versioned) known.set(table, (versioned = find([...table.operations.values()])))
  return versioned
}

function find(operations: readonly NamedOperation[]): Map<string, Versioned> {
  const found = new Map<string, Versioned>()
  for (const read of operations.filter(answersRecord)) {
    const writes = operations.filter(each => changes(each, read))
    if (writes.length === 0) continue
    const shown: Fields = isObject(read.output.properties) ? read.output.properties : {}
    const inputs = writes
      .filter(({ path, method }) => path === read.path && method === 'PATCH')
      .flatMap(({ input }) => Object.keys(input.properties))
    const fields = [...new Set(inputs)].filter(name => Object.hasOwn(shown, name)).toSorted()
    const versioned = { read, fields: fields.length > 0 ? fields : undefined }
    for (const { id } of [read, ...writes]) found.set(id, versioned)
  }
  return found
}

/** Another protocol has versions of its own. */
const answersRecord = ({ method, answers, access, wireFormat }: NamedOperation): boolean =>
  method === 'GET' && answers.kind === 'record' && access !== 'public' && !wireFormat

/** `PATCH` and `DELETE` at its own path, or an action right below it: `POST /alerts/{id}/mute`. */
function changes({ path, effect, method, access }: NamedOperation, read: NamedOperation): boolean {
  if ((effect !== 'update' && effect !== 'delete') || access === 'public') return false
  if (path === read.path) return true
  return method === 'POST' && read.path.endsWith('}') && path.startsWith(`${read.path}/`) && /^\w+$/.test(path.slice(read.path.length + 1))
}
