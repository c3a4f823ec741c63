/** What pages a goal or a step of a funnel is about. */
import { RE2JS } from 're2js'

/** Pattern of a page goal: `*` is any text without a slash, `**` any text. RE2, as the pattern is anyone's. */
export function pathMatcher(pattern: string): (path: string) => boolean {
  if (!pattern.includes('*')) return path => path === pattern
  const source = pattern
    .split(/(\*+)/)
    .map(part => (part === '*' ? '[^/]*' : part.startsWith('*') ? '.*' : RE2JS.quote(part)))
    .join('')
  const expression = RE2JS.compile(source, RE2JS.DOTALL)
  return path => expression.testExact(path)
}
