/**
 * Shows the answer to a form at an address that can be loaded again: `?done=<operation>&result=<key>`. The database keeps the
 * answer for a few minutes, sealed if it contains a secret. Only the session that sent the form can read it.
 */
import type { App } from '../../runtime/app.ts'
import type { Caller } from '../../runtime/table/caller.ts'
import { isObject } from '../../runtime/values/json.ts'
import type { Outcome } from '../../runtime/table/outcome.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { isSubmission } from './form-keys.ts'
import type { LoadedPage } from './load-page.ts'
import { recordOf } from './page-tree.ts'

export interface Result {
  readonly operation: NamedOperation
  /** Undefined if it is no longer shown. */
  readonly record: Readonly<Record<string, unknown>> | undefined
}

/** @param location a path of ours, with or without a query */
export function withResult(location: string, operation: NamedOperation, key: string): string {
  const [rest = '', fragment] = location.split('#')
  const address = `${rest}${rest.includes('?') ? '&' : '?'}${new URLSearchParams({ done: operation.id, result: key })}`
  return fragment === undefined ? address : `${address}#${fragment}`
}

/** The address of the page itself, which its links repeat. */
export function withoutResult(given: URL): URL {
  const url = new URL(given)
  for (const name of ['done', 'result', 'kept']) url.searchParams.delete(name)
  return url
}

/** @returns undefined if the address names no answer */
export async function resultAt(app: App, { searchParams }: URL, caller: Caller | undefined): Promise<Result | undefined> {
  const [operation, key] = [app.table.operations.get(searchParams.get('done') ?? ''), searchParams.get('result') ?? '']
  if (!operation || !caller || !isSubmission(key)) return undefined
  const answer = await app.answerToForm({ token_id: caller.credentialId, operation: operation.id, key })
  return { operation, record: answer && (isObject(answer.data) ? answer.data : {}) }
}

/** Replaces the record with its current state, if the page shows it: for example, a pending delivery has arrived. */
export function asOfNow(result: Result, { spot, record, rows }: Pick<LoadedPage, 'spot' | 'record' | 'rows'>): Result {
  const { operation, record: then } = result
  if (!then || recordOf(operation) === undefined || recordOf(operation) !== recordOf(spot.operation)) return result
  const now = [...(record ? [record] : []), ...rows].find(({ id }) => typeof id === 'string' && id === then.id)
  return now ? { operation, record: now } : result
}

/** Returns the outcome that the operation declares for its answer. */
export const outcomeIn = ({ operation, record }: Result): Outcome | undefined => record && operation.outcome?.(record as never) // its schema types it
