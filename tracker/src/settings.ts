import { automated } from './automated.ts'
import { watchClicks } from './clicks.ts'
import type { Watched } from './interactions.ts'
import type { Props } from './protocol.ts'

/** Settings of pages and hits, from attributes of the `<script>` tag. */
export type PageSettings = Readonly<Omit<ReturnType<typeof readSettings>, 'nonce' | 'vitals' | 'downloads' | 'outbound'>> & {
  /** The id of the visitor, as the page has set it; kept for this page only. */
  user?: string | number | undefined
}

/** And which links are watched. */
export type Settings = PageSettings & Watched

export const FILES =
  'pdf,doc,docx,xls,xlsx,ppt,pptx,pps,key,odt,ods,txt,rtf,csv,epub,zip,rar,7z,gz,tgz,exe,msi,dmg,pkg,' +
  'deb,rpm,apk,iso,avi,mov,mp4,mpeg,wmv,mid,midi,mp3,wav,wma'

export const listed = (list: string) =>
  list
    .split(',')
    .map(item => item.trim())
    .filter(item => item)

/** `/blog/*, /about` as one expression for a whole path; `*` is what `any` matches, `**` any text, slashes included. */
export const pathPattern = (patterns: string, any: string) =>
  new RegExp(
    '^(' +
      listed(patterns)
        .map(pattern => pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*+/g, stars => (stars === '*' ? any : '.*')))
        .join('|') +
      ')/?$',
  )

/**
 * @param any regular expression for a `*` in a path
 * @throws TypeError if the tag's `src` is not a URL
 */
export const readSettings = (script: HTMLScriptElement, any = '.*') => {
  const read = (name: string) => script.getAttribute('data-' + name)
  const asked = (name: string) => ![null, 'false'].includes(read(name))
  const beside = (path: string) => new URL(path, script.src || location.href).href
  const include = read('include')
  const exclude = read('exclude')
  return {
    domain: read('domain') || undefined,
    endpoint: read('api') || beside('/api/event'),
    hash: asked('hash'),
    manual: asked('manual'),
    /** Watches where the page is clicked. */
    clicks: asked('clicks') ? watchClicks : undefined,
    dnt: asked('dnt'),
    /** Address of the vitals script, in the same folder as this one. */
    vitals: asked('vitals') && beside('footfall.vitals.js'),
    nonce: script.nonce,
    /** Whether clicks on links to other sites are sent. */
    outbound: true,
    /** Why pages in this browser are not counted. */
    refused: (): string | undefined => automated('footfall'),
    /** Whether pages are compared as Plausible's script does, by path only. */
    plain: false,
    /** Sends instead of `fetch`. */
    post: undefined as ((url: string, body: string) => Promise<{ status: number }>) | undefined,
    /** Properties of every pageview and event. */
    props: undefined as ((event: string) => Props | undefined) | undefined,
    downloads: listed((read('downloads') || FILES).toLowerCase()),
    covers: (path: string) => (!include || pathPattern(include, any).test(path)) && !(exclude && pathPattern(exclude, any).test(path)),
  }
}
