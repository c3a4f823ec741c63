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
import { keptParameter } from './keep-form.ts'
import type { LoadedPage } from './load-page.ts'
import { recordOf } from './page-tree.ts'

export interface Result {
  readonly operation: NamedOperation
  /** Undefined if it is no longer shown. */
  readonly record: Readonly<Record<string, unknown>> | undefined
  /** The operation that undoes it, if the viewer may call it. */
  readonly undoneBy: NamedOperation | undefined
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
  for (const name of ['done', 'result', keptParameter]) url.searchParams.delete(name)
  return url
}

/** @returns undefined if the address names no answer */
export async function resultAt(app: App, { searchParams }: URL, caller: Caller | undefined): Promise<Result | undefined> {
  const [operation, key] = [app.table.operations.get(searchParams.get('done') ?? ''), searchParams.get('result') ?? '']
  if (!operation || !caller || !isSubmission(key)) return undefined
  const answer = await app.answerToForm({ token_id: caller.credentialId, operation: operation.id, key })
  const undoneBy = [...app.table.operations.values()].find(({ undoes }) => undoes === operation.id)
  return {
    operation,
    record: answer && (isObject(answer.data) ? answer.data : {}),
    undoneBy: undoneBy && app.allows(caller, undoneBy) ? undoneBy : undefined,
  }
}

/** Replaces the record with its current state, if the page shows it: for example, a pending delivery has arrived. */
export function asOfNow(result: Result, { spot, record, rows }: Pick<LoadedPage, 'spot' | 'record' | 'rows'>): Result {
  const { operation, record: then } = result
  if (!then || recordOf(operation) === undefined || recordOf(operation) !== recordOf(spot.operation)) return result
  const now = [...(record ? [record] : []), ...rows].find(({ id }) => typeof id === 'string' && id === then.id)
  return now ? { ...result, record: now } : result
}

/**
 * Returns the path of the operation that undoes this one. The record has the parameters of the path, except for parameters
 * of the page's own address.
 */
export function undoPath({ undoneBy, record }: Result, { pathname }: URL): string | undefined {
  if (!undoneBy || !record) return undefined
  const parts = undoneBy.path.split('/')
  const here = pathname.split('/')
  const filled = parts.map((part, i) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name === undefined) return part
    const before = here.indexOf(parts[i - 1] ?? '')
    return typeof record[name] === 'string' ? record[name] : before < 1 ? undefined : here[before + 1]
  })
  return filled.every(part => part !== undefined) ? filled.map(part => encodeURIComponent(part ?? '')).join('/') : undefined
}

/** Returns the outcome that the operation declares for its answer. */
export const outcomeIn = ({ operation, record }: Pick<Result, 'operation' | 'record'>): Outcome | undefined =>
  record && operation.outcome?.(record as never) // its schema types it
