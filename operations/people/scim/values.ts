/** Converts values as identity providers write them to the form of the schema. Each function returns undefined for an invalid value. */
import { isObject } from '../../../runtime/values/json.ts'
import { type ScimAttributes, subAttributeNames } from './attributes.ts'

/** Accepts `true` and `"True"`; some providers wrap either in a list. */
export function booleanOf(value: unknown): boolean | undefined {
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value
  const single = isObject(only) ? only.value : only
  const text = typeof single === 'string' ? single.toLowerCase() : single
  if (text === true || text === 'true') return true
  return text === false || text === 'false' ? false : undefined
}

/** Returns the stored components of a name. */
export function nameOf(value: unknown): Record<string, unknown> | undefined {
  return isObject(value) ? partsOf('name', value) : undefined
}

/** Accepts one address or a list, as objects or strings. If several are primary, the last one wins. */
export function emailsOf(value: unknown): NonNullable<ScimAttributes['emails']> | undefined {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  const emails = list.flatMap(each => {
    const { primary, ...rest } = isObject(each) ? partsOf('emails', each) : { value: each, primary: undefined }
    const first = booleanOf(primary)
    return typeof rest.value === 'string' && rest.value !== ''
      ? [{ ...rest, value: rest.value, ...(first !== undefined && { primary: first }) }]
      : []
  })
  if (emails.length < list.length && emails.length === 0) return undefined
  const last = emails.findLastIndex(({ primary }) => primary === true)
  return emails.map((email, i) => (email.primary === true && i !== last ? { ...email, primary: false } : email))
}

/** Returns the stored sub-attributes by name, without null values. */
function partsOf(attribute: 'name' | 'emails', value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = subAttributeNames[attribute]
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => {
      const name = names?.get(key.toLowerCase())
      return name === undefined || each === null ? [] : [[name, each] as const]
    }),
  )
}
