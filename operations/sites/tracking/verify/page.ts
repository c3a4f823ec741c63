/** The scripts of a page, as its HTML names them. */

export interface ScriptTag {
  readonly src: string
  /** Attributes by their names in lower case. */
  readonly attributes: ReadonlyMap<string, string>
}

/** Bytes of a page that are read, and tags of it that are looked at. */
export const PAGE_BYTES = 1_048_576
const MOST_TAGS = 1_000

const ATTRIBUTE = /([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/g

export function scriptTags(html: string): ScriptTag[] {
  return tagsOf(html, 'script').flatMap(attributes => {
    const src = attributes.get('src') ?? attributes.get('data-src')
    return src ? [{ src, attributes }] : []
  })
}

/**
 * A script that no tag loads, but that the page names: its own program puts it in. So does `<Script>` of Next.js, which
 * leaves a preload in the HTML of its `app/` folder, and nothing in that of `pages/`.
 * @param path of the script, without slash and ending
 */
export function namedScript(html: string, path: string): ScriptTag | undefined {
  const end = html.replaceAll('\\/', '/').match(new RegExp(`["'=(\\s]([^"'=(\\s<>\\\\]{0,500}/${path}\\.js)(?![\\w.-])`))
  return end?.[1] === undefined ? undefined : { src: end[1], attributes: new Map([['src', end[1]]]) }
}

/** Policies in the page itself. */
export function metaPolicies(html: string): string[] {
  return tagsOf(html, 'meta').flatMap(attributes =>
    attributes.get('http-equiv')?.toLowerCase() === 'content-security-policy' ? [attributes.get('content') ?? ''] : [],
  )
}

/** Looks for one tag after the other, so that the time goes by the length of the page. */
function tagsOf(html: string, name: string): ReadonlyMap<string, string>[] {
  const found: Map<string, string>[] = []
  const lower = html.toLowerCase()
  for (let at = 0; found.length < MOST_TAGS; ) {
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
