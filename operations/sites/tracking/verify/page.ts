/** Finds the scripts in the HTML of a page. */

export interface ScriptTag {
  readonly src: string
  /** Attributes by lower-case name. */
  readonly attributes: ReadonlyMap<string, string>
}

/** Limit of the bytes that are read of a page; `MAX_TAGS` limits its tags. */
export const PAGE_BYTES = 1_048_576
const MAX_TAGS = 1_000

const ATTRIBUTE = /([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/g

export function scriptTags(html: string): ScriptTag[] {
  return tagsOf(html, 'script').flatMap(attributes => {
    const src = attributes.get('src') ?? attributes.get('data-src')
    return src ? [{ src, attributes }] : []
  })
}

/**
 * Finds a script that no tag loads, but that the HTML mentions, because another script inserts it. `<Script>` of Next.js does so: it
 * leaves a preload in the HTML of its `app/` folder, and nothing in the HTML of `pages/`.
 * @param path of the script, without slash and extension
 */
export function namedScript(html: string, path: string): ScriptTag | undefined {
  const end = html.replaceAll('\\/', '/').match(new RegExp(`["'=(\\s]([^"'=(\\s<>\\\\]{0,500}/${path}\\.js)(?![\\w.-])`))
  return end?.[1] === undefined ? undefined : { src: end[1], attributes: new Map([['src', end[1]]]) }
}

/** Policies in the HTML itself. */
export function metaPolicies(html: string): string[] {
  return tagsOf(html, 'meta').flatMap(attributes =>
    attributes.get('http-equiv')?.toLowerCase() === 'content-security-policy' ? [attributes.get('content') ?? ''] : [],
  )
}

/** Finds tags one after the other, in time that is linear in the length of the page. */
function tagsOf(html: string, name: string): ReadonlyMap<string, string>[] {
  const found: Map<string, string>[] = []
  const lower = html.toLowerCase()
  for (let at = 0; found.length < MAX_TAGS; ) {
    const from = lower.indexOf(`<${name}`, at)
    if (from < 0) break
    const to = lower.indexOf('>', from)
    if (to < 0) break
    at = to
    const inside = html.slice(from + name.length + 1, Math.min(to, from + 4_000))
    if (!/^[\s/]/.test(inside)) continue
    found.push(
      new Map(
        [...inside.matchAll(ATTRIBUTE)].map(([, key = '', double, single, bare]) => [
          key.toLowerCase(),
          unescaped(double ?? single ?? bare ?? ''),
        ]),
      ),
    )
  }
  return found
}

const unescaped = (text: string): string => text.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"')
