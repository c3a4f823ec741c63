/**
 * Titles, paths and event names are written by visitors. Hidden characters in them could mislead a model or a terminal
 * that reads the result as text, so they are removed: control characters, separators of lines and paragraphs, bidi overrides, invisible letters (Unicode
 * TR #36, CVE-2021-42574). Joiners stay, as Persian and emoji need them.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{e0000}-\u{e0fff}]/gu
const visible: ReadonlySet<string> = new Set(['\n', '\t', '\u200c', '\u200d'])

/** The same characters as they appear in JSON text: raw or, below U+0020, escaped. */
const suspicious = /[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\u{e0000}-\u{e0fff}]|\\(u00|[bfr])/u

export function withoutHidden(text: string): string {
  return text.replace(hidden, character => (visible.has(character) ? character : ''))
}

/** The value, and its JSON text, without hidden characters in any string or key. */
export function cleaned<T extends object>(value: T): { text: string; value: T } {
  const text = JSON.stringify(value)
  if (!suspicious.test(text)) return { text, value }
  const clean = cleanedDeep(value) as T // same shape: only strings change
  return { text: JSON.stringify(clean), value: clean }
}

function cleanedDeep(value: unknown): unknown {
  if (typeof value === 'string') return withoutHidden(value)
  if (Array.isArray(value)) return value.map(cleanedDeep)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [withoutHidden(name), cleanedDeep(inner)]))
}
