/**
 * The script at the addresses of Plausible's script, for pages that have its snippet: the same tracking behind
 * `plausible()`, classes instead of attributes, and as much of it as the name of the script asks for.
 */
import { automated } from './automated.ts'
import { attributesOf, type Mark } from './interactions.ts'
import { attempt } from './listen.ts'
import type { Call, EventOptions, Props, Tracking } from './protocol.ts'
import { FILES, listed, readSettings } from './settings.ts'
import { ownTag, start } from './start.ts'

/** The words of the script's name, `hash.outbound-links`. The service writes them here: a proxy may call it anything. */
declare const VARIANT: string

/** Hosts that mean the visitor's own machine. */
const LOCAL = /^(localhost|127(\.\d+){3}|\[::1\])$/

const words = VARIANT.split('.')
const has = (word: string) => words.includes(word)

/** `plausible.init(options)` of its newer snippet. */
type Options = Readonly<{
  domain?: string
  endpoint?: string
  hashBasedRouting?: boolean
  autoCapturePageviews?: boolean
  captureOnLocalhost?: boolean
  outboundLinks?: boolean
  fileDownloads?: boolean | Readonly<{ fileExtensions?: readonly string[] }>
  formSubmissions?: boolean
  customProperties?: Props | ((event: string) => Props)
}>

/** The newer snippet leaves these to the site's settings there, which are not known here: they are on. */
const wanted = (word: string, option: unknown) => (option === undefined ? has(word) || has('init') : !!option)

/** `plausible-event-name=Signup+Form plausible-event-plan=pro`; `--` replaces a `=`, which a class may not have. */
const byClasses =
  (allForms: boolean): Mark =>
  element => {
    const event: Record<string, string> = {}
    const revenue: Record<string, string> = {}
    element.classList.forEach(name => {
      const [, kind, key = '', value = ''] = /^plausible-(event|revenue)-(.+?)(?:=|--)(.+)$/.exec(name) || []
      if (kind) (kind === 'event' ? event : revenue)[key] = value.replace(/\+/g, ' ')
    })
    if (event.name) {
      const { name, ...props } = event
      if (element instanceof HTMLAnchorElement && element.href) props.url = props.url || element.href
      return [name, { props, revenue: revenue.amount ? revenue : undefined }]
    }
    if (element instanceof HTMLFormElement && (allForms || element.classList.contains('plausible-form-submit'))) {
      return ['Form: Submission', { props: { path: location.pathname } }]
    }
  }

/** Options of Plausible's script in addition to our own: `u` is the address, `meta` the properties. */
type Given = EventOptions & Readonly<{ u?: string; meta?: Props }>
const adapted = ([name, options]: Call): Call => {
  const { u, meta, ...rest }: Given = options || {}
  return [name, Object.assign({ url: u, props: meta }, rest)]
}

/** For old browsers, and pages that have removed `fetch`. The type of a text is text/plain by default. */
const postWithoutFetch = (url: string, body: string) =>
  new Promise<XMLHttpRequest>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    request.onload = () => resolve(request)
    request.onerror = reject
    request.send(body)
  })

const settingsOf = (tag: HTMLScriptElement, options: Options) => {
  const settings = readSettings(tag, '[^/]*')
  const local = has('local') || options.captureOnLocalhost
  const { fileDownloads: files, customProperties: props } = options
  const listedIn = (attribute: string, otherwise: string) => listed((tag.getAttribute(attribute) || otherwise).toLowerCase())
  const types = typeof files === 'object' && files.fileExtensions ? files.fileExtensions.join() : FILES
  return Object.assign(settings, {
    domain: options.domain || settings.domain,
    endpoint: options.endpoint || settings.endpoint,
    hash: settings.hash || has('hash') || !!options.hashBasedRouting,
    manual: settings.manual || has('manual') || options.autoCapturePageviews === false,
    plain: true,
    post: has('compat') || !Reflect.get(window, 'fetch') ? postWithoutFetch : undefined,
    // `local` is for tests, so it counts automated browsers too.
    refused: () => (local ? undefined : LOCAL.test(location.hostname) ? location.hostname + ' is not counted' : automated('plausible')),
    outbound: wanted('outbound-links', options.outboundLinks),
    downloads: wanted('file-downloads', files) ? listedIn('file-types', types).concat(listedIn('add-file-types', '')) : [],
    props: (event: string) => Object.assign({}, attributesOf(tag, 'event-'), typeof props === 'function' ? props(event) : props),
  })
}

attempt(() => {
  const tag = ownTag()
  // `/script.js` is the address of Umami's and Fathom's script, too; the tag says which one it means.
  if (!tag || tag.hasAttribute('data-website-id') || tag.hasAttribute('data-site')) return
  const begin = (options: Options = {}) =>
    attempt(() => {
      start('plausible', settingsOf(tag, options), byClasses(wanted('form-submissions', options.formSubmissions)), () => {}, adapted)
      if (window.plausible) window.plausible.init = () => {}
    })
  const stub = window.plausible
  if (stub && stub.o) begin(stub.o)
  else if (!has('init')) begin()
  else {
    // The page has not called `init` yet: its snippet takes what is here for its own stub.
    const queue: Call[] = []
    const waiting: Tracking = stub || Object.assign((...call: Call) => void queue.push(call), { q: queue })
    waiting.init = begin
    window.plausible = waiting
  }
})
