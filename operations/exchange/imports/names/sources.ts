/** Sources of other products, which write names, hosts or tags, as collected hits have them. */
import { bareHost, sourceOfTag } from '../../../sites/collection/index.ts'

/** `google`, `www.google.com` and `Google` are one source; an unknown host is written without `www.`. */
export function sourceIn(text: string): string {
  const known = sourceOfTag(text)
  if (known) return known.name
  return /^[\w-]+(\.[\w-]+)+$/.test(text) ? bareHost(text) : text
}
