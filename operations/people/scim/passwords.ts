/**
 * Some identity providers send a password (Okta: "Sync Password"). Footfall does not use it, so it is removed
 * before any other code reads the request: the audit log would store it.
 */
import { isObject } from '../../../runtime/values/json.ts'

const isPassword = (path: unknown): boolean => typeof path === 'string' && /(^|[:.])password$/i.test(path.trim())

/** @param sent attributes by name, or the body of a PATCH; validation reports other shapes */
export function withoutPasswords(sent: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]) =>
      isPassword(name) ? [] : [[name, name === 'Operations' && Array.isArray(value) ? value.map(inOperation) : value] as const],
    ),
  )
}

function inOperation(operation: unknown): unknown {
  if (!isObject(operation)) return operation
  if (isPassword(operation.path)) return { ...operation, value: null }
  return isObject(operation.value) ? { ...operation, value: withoutPasswords(operation.value) } : operation
}
