/** Patterns of texts in which `*` stands for any text. Matching is linear: no pattern makes a long text slow. */

/** A part that is only stars would match everything. */
export const hasText = (pattern: string): boolean => /[^*\s]/.test(pattern)

/** Whether the whole text matches. Both are compared as they are: bring them into one case before. */
export function wildcard(pattern: string): (text: string) => boolean {
  const parts = pattern.split(/\*+/)
  const [first = ''] = parts
  if (parts.length === 1) return text => text === first
  const last = parts.at(-1) ?? ''
  const between = parts.slice(1, -1)
  return text => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
    // Each part is looked for behind the one before: the leftmost place leaves most for the rest.
    let from = first.length
    for (const part of between) {
      const at = text.indexOf(part, from)
      if (at < 0) return false
      from = at + part.length
    }
    return from <= text.length - last.length
  }
}
