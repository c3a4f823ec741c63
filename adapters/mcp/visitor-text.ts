/**
 * Removes hidden characters from titles, paths and event names, which visitors write. Collected values are cleaned by the same
 * rule before they are stored, so a name that is shown can be used in a filter.
 */
import { Message } from '../../runtime/texts/message.ts'
import { withoutHidden } from '../../runtime/values/hidden-characters.ts'

/** The same characters as they appear in JSON text: raw or, below U+0020, escaped. */
const suspicious = /[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\u{e0000}-\u{e0fff}]|\\(u00|[bfr])/u

/** The value, and its JSON text, without hidden characters in any string or key. */
export function cleaned<T extends object>(value: T): { text: string; value: T } {
  const text = JSON.stringify(value)
  if (!suspicious.test(text)) return { text, value }
  const clean = cleanedDeep(value) as T // same shape: only strings change
  return { text: JSON.stringify(clean), value: clean }
}

function cleanedDeep(value: unknown): unknown {
  if (typeof value === 'string') return withoutHidden(value, 'lines')
  if (Array.isArray(value)) return value.map(cleanedDeep)
  if (value instanceof Message) return withoutHidden(String(value), 'lines')
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [withoutHidden(name, 'lines'), cleanedDeep(inner)]))
}
