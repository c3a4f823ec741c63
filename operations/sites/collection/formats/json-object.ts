import { isObject } from '../../../../runtime/values/json.ts'
import { parseJson } from '../../../../runtime/call/parse-json.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** An object, or a JSON string of one (plausible-tracker 0.3 sends that); null for anything else. */
export function objectOf(value: unknown): JsonObject | null {
  if (typeof value !== 'string') return isObject(value) ? value : null
  try {
    const parsed = parseJson(value)
    return isObject(parsed) ? parsed : null
  } catch {
    return null
  }
}
