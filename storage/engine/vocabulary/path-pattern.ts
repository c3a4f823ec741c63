/** Patterns of pages in goals and steps of funnels. */
import { re2 } from './re2.ts'

/** Matches a page goal's pattern: `*` is any text without a slash, `**` any text. Uses RE2, because users write the patterns. */
export function pathMatcher(pattern: string): (path: string) => boolean {
  if (!pattern.includes('*')) return path => path === pattern
  const RE2 = re2()
  const source = pattern
    .split(/(\*+)/)
    .map(part => (part === '*' ? '[^/]*' : part.startsWith('*') ? '.*' : RE2.quote(part)))
    .join('')
  const expression = RE2.compile(source, RE2.DOTALL)
  return path => expression.testExact(path)
}
