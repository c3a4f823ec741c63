/** Patterns of pages in goals and steps of funnels. */
import { RE2JS } from 're2js'

/** Matches a page goal's pattern: `*` is any text without a slash, `**` any text. Uses RE2, because users write the patterns. */
export function pathMatcher(pattern: string): (path: string) => boolean {
  if (!pattern.includes('*')) return path => path === pattern
  const source = pattern
    .split(/(\*+)/)
    .map(part => (part === '*' ? '[^/]*' : part.startsWith('*') ? '.*' : RE2JS.quote(part)))
    .join('')
  const expression = RE2JS.compile(source, RE2JS.DOTALL)
  return path => expression.testExact(path)
}
