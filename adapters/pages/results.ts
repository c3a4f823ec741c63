/**
 * What a form was answered with, at an address that can be loaded again: `?done=<operation>&result=<key>`. The answer is kept
 * in the database for a few minutes, sealed where there is a secret in it, and is read by the session that sent the form.
 */
import type { App } from '../../runtime/app.ts'
import type { Caller } from '../../runtime/caller.ts'
import { isObject } from '../../runtime/json.ts'
import type { NamedOperation } from '../../runtime/table.ts'
import { isSubmission } from './form-keys.ts'

export interface Result {
  readonly operation: NamedOperation
  /** Undefined where it is not shown any more. */
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

/** @returns undefined where the address names no answer */
export async function resultAt(app: App, { searchParams }: URL, caller: Caller | undefined): Promise<Result | undefined> {
  const [operation, key] = [app.table.operations.get(searchParams.get('done') ?? ''), searchParams.get('result') ?? '']
  if (!operation || !caller || !isSubmission(key)) return undefined
  const answer = await app.answerToForm({ token_id: caller.credentialId, operation: operation.id, key })
  return { operation, record: answer && (isObject(answer.data) ? answer.data : {}) }
}
