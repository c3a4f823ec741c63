/** Tags of other products in a page: each with its product, and where it sends. */
import type { ScriptTag } from './page.ts'

export interface ForeignTag {
  readonly product: string
  /** The address that receives its hits. */
  readonly to: URL
  /** The id of the site that it names; undefined if the host of the page decides. */
  readonly id: string | undefined
  /** Address of its script; undefined if another script inserts it. */
  readonly script: URL | undefined
}

interface Product {
  readonly name: string
  /** Path of its script. */
  readonly path: RegExp
  /** An attribute that only its tag has. */
  readonly attribute?: string
  /** The attribute with the address that receives hits, if that is not the script's own host. */
  readonly to?: string
  /** The attribute with the id, if the id decides which site counts. */
  readonly id?: string
}

const products: readonly Product[] = [
  { name: 'Umami', path: /\.js$/, attribute: 'data-website-id', to: 'data-host-url', id: 'data-website-id' },
  { name: 'GoatCounter', path: /\.js$/, attribute: 'data-goatcounter', to: 'data-goatcounter' },
  { name: 'Cloudflare', path: /\/beacon\.min\.js$/ },
  { name: 'Fathom', path: /\.js$/, attribute: 'data-site' },
  { name: 'Google', path: /\/gtag\/js$/ },
  { name: 'Simple Analytics', path: /\/latest\.js$/ },
  { name: 'Matomo', path: /\/(?:matomo|piwik)\.js$/ },
]

/** Vendors' own hosts of Plausible's script, whose path our own has too. */
const PLAUSIBLE = /^plausible\.io$/

/** Tags that a script in the HTML builds: the address that it names. */
const written: ReadonlyArray<readonly [product: string, mark: string, address: RegExp]> = [
  ['Matomo', '_paq', /(?:\bu\s*=\s*|setTrackerUrl['"]\s*,\s*)["']([^"'\s]{1,500})["']/],
  ['PostHog', 'posthog', /api_host['"]?\s*:\s*["']([^"'\s]{1,500})["']/],
  ['Segment', 'Segment.io', /apiHost['"]?\s*:\s*["']([^"'\s]{1,500})["']/],
  ['RudderStack', 'rudderanalytics', /\bload\s*\(\s*["'][^"'\s]{1,200}["']\s*,\s*["']([^"'\s]{1,500})["']/],
]

export function foreignTag({ src, attributes }: ScriptTag, page: URL): ForeignTag | undefined {
  if (!URL.canParse(src, page)) return undefined
  const script = new URL(src, page)
  const product = products.find(
    ({ path, attribute }) => path.test(script.pathname) && (attribute === undefined || attributes.has(attribute)),
  )
  if (!product) return PLAUSIBLE.test(script.hostname) ? { product: 'Plausible', to: script, id: undefined, script } : undefined
  const named = (product.to && attributes.get(product.to)) || src
  const id = product.id && attributes.get(product.id)
  return { product: product.name, to: URL.canParse(named, page) ? new URL(named, page) : script, id: id || undefined, script }
}

export function writtenTags(html: string, page: URL): ForeignTag[] {
  return written.flatMap(([product, mark, address]) => {
    const at = html.indexOf(mark)
    const found = at < 0 ? undefined : address.exec(html.slice(Math.max(0, at - 5_000), at + 10_000))?.[1]
    const named = found && (/^(?:[a-z]+:|\/)/i.test(found) ? found : `//${found}`) // Segment's has no scheme
    return named === undefined || !URL.canParse(named, page)
      ? []
      : [{ product, to: new URL(named, page), id: undefined, script: undefined }]
  })
}
