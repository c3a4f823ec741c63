/** The fields that a write has changed, with their values before and after, for its audit entry. */
import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../values/json.ts'
import { type Versioned, versionedBy } from '../table/record-versions.ts'
import type { NamedOperation } from '../table/table.ts'
import type { Call } from './call.ts'
import { currentOf } from './check-precondition.ts'

type Fields = Readonly<Record<string, unknown>>

export interface FieldChange {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/** A change or deletion of a record that an operation can read. */
export const changesRecord = ({ audited, effect }: NamedOperation): boolean => audited && (effect === 'update' || effect === 'delete')

/** Keeps the record as it was, before the operation changes it. */
export async function readBefore(call: Call): Promise<void> {
  const versioned = versionedBy(call.core.table).get(call.operation.id)
  call.before = versioned && (await currentOf(call, versioned))?.record
}

/** @returns undefined if the record was not read before */
export function changesOf({ core, operation, before, answer }: Call): FieldChange[] | undefined {
  const versioned = versionedBy(core.table).get(operation.id)
  if (!before || !versioned) return undefined
  const after: Fields = operation.effect !== 'delete' && isObject(answer?.data) ? answer.data : {}
  return fieldsOf(operation, versioned, before)
    .filter(field => operation.effect === 'delete' || Object.hasOwn(after, field))
    .map(field => ({ field, before: before[field] ?? null, after: after[field] ?? null }))
    .filter(change => !isDeepStrictEqual(change.before, change.after))
}

/** An action changes fields that no PATCH takes: all but those that change by themselves. Secrets are never shown. */
function fieldsOf({ method, secrets }: NamedOperation, { read, fields }: Versioned, before: Fields): string[] {
  const all = (method !== 'POST' && fields) || Object.keys(before).filter(name => !unspoken.has(name))
  return all.filter(name => !secrets.includes(name) && !read.secrets.includes(name))
}

const unspoken: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at'])
