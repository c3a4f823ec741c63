/** Text patterns in which `*` matches any text. Matching takes linear time for every pattern. */

/** Whether the pattern has more than stars; otherwise, it would match everything. */
export const hasText = (pattern: string): boolean => /[^*\s]/.test(pattern)

/** Whether the whole text matches. Case-sensitive: normalize both texts before. */
export function wildcard(pattern: string): (text: string) => boolean {
  const parts = pattern.split(/\*+/)
  const [first = ''] = parts
  if (parts.length === 1) return text => text === first
  const last = parts.at(-1) ?? ''
  const between = parts.slice(1, -1)
  return text => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
    // Search each part after the previous one: the leftmost match leaves the most text for the other parts.
    let from = first.length
    for (const part of between) {
      const at = text.indexOf(part, from)
      if (at < 0) return false
      from = at + part.length
    }
    return from <= text.length - last.length
  }
}
