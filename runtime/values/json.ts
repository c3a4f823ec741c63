/** JSON values: which are objects, one text for equal values, and fields of any name. */

/** Whether a value is a record: neither an array nor null, nor something that JSON has as a text, such as a message. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && typeof (value as { toJSON?: unknown }).toJSON !== 'function'
  )
}

/** The same text for equal values: keys of objects are sorted, since their order does not matter. */
export const canonical = (value: unknown): string => JSON.stringify(sorted(value)) ?? 'null'

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}

/** Sets a field of an object that people have named: a name may be `__proto__`, which an assignment would not store. */
export function setField(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}
