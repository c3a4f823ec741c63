/**
 * Some identity providers send a password along (Okta: "Sync Password"). Nobody signs in by it here, so it is taken out
 * before anything else reads what was sent: the audit log would keep it.
 */
import { isObject } from '../../../runtime/values/json.ts'

const isPassword = (path: unknown): boolean => typeof path === 'string' && /(^|[:.])password$/i.test(path.trim())

/** @param sent attributes by name, or the body of a PATCH; what has another form is left to the validation */
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
