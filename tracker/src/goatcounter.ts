/** The script for pages with GoatCounter's tag: `<script data-goatcounter="https://HOST/count" async src="//HOST/count.js">`. */
import { automated } from './automated.ts'
import { storedOptOut, tagWith } from './foreign.ts'
import { attempt, on, whenVisible } from './listen.ts'

type Own<T> = T | null | undefined | ((usual: T) => T | null)
interface Vars {
  readonly path?: Own<string>
  readonly title?: Own<string>
  readonly referrer?: Own<string>
  readonly event?: boolean
}
interface Goatcounter extends Vars {
  no_onload?: boolean
  no_events?: boolean
  allow_local?: boolean
  allow_frame?: boolean
  endpoint?: string
  [name: string]: unknown
}

const SETTINGS = /^(no_onload|no_events|allow_local|allow_frame|path|title|referrer|event)$/
const LOCAL = /(localhost$|^127\.|^10\.|^172\.(1[6-9]|2\d|3[01])\.|^192\.168\.|^0\.0\.0\.0$)/

attempt(() => {
  const globals = window as unknown as { goatcounter?: Goatcounter }
  const own: Goatcounter = (globals.goatcounter = globals.goatcounter || {})
  const tag = tagWith('data-goatcounter')
  const read = (element: Element | undefined, name: string) => (element && element.getAttribute('data-goatcounter' + name)) || ''
  attempt(() => {
    const given: Record<string, unknown> = JSON.parse(read(tag, '-settings') || '{}')
    for (const name of Object.keys(given)) if (SETTINGS.test(name)) own[name] = given[name]
  })

  const here = () => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="canonical"][href]')
    const page =
      link && new URL(link.href).hostname.replace(/^www\./, '') === location.hostname.replace(/^www\./, '') ? new URL(link.href) : location
    return page.pathname + page.search || '/'
  }
  /** A value may be a function of the usual one; null says not to count. */
  const chosen = (given: Own<string>, usual: string) =>
    typeof given === 'function' ? given(usual) : given === null || given === undefined ? usual : given
  const data = (vars: Vars = {}) => ({
    p: chosen(vars.path === undefined ? own.path : vars.path, here()),
    r: chosen(vars.referrer === undefined ? own.referrer : vars.referrer, document.referrer),
    t: chosen(vars.title === undefined ? own.title : vars.title, document.title),
    e: !!(vars.event || own.event),
    s: screen.width,
    b: automated('goatcounter') ? 153 : 0,
    q: location.search,
  })
  const filter = () => {
    if (!own.allow_frame && window !== window.parent) return 'frame'
    if (!own.allow_local && LOCAL.test(location.hostname)) return 'localhost'
    if (!own.allow_local && location.protocol === 'file:') return 'localfile'
    return storedOptOut('skipgc') && 'disabled with #toggle-goatcounter'
  }
  const url = (vars?: Vars) => {
    const sent = data(vars)
    const endpoint = read(tag, '') || own.endpoint
    if (sent.p === null || !endpoint) return undefined
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(sent)) if (value !== '' && value !== null && value !== false) query.set(name, String(value))
    return endpoint + '?' + query
  }
  const count = (vars?: Vars) => {
    const why = filter()
    const to = url(vars)
    if (why) return console.warn('goatcounter: not counting because of: ' + why)
    if (to && !navigator.sendBeacon(to)) new Image().src = to
  }
  Object.assign(own, {
    get_data: data,
    filter,
    url,
    count,
    get_query: (name: string) => new URLSearchParams(location.search).get(name) ?? undefined,
    bind_events: () => {},
    visit_count: () => console.warn('goatcounter: visit_count shows nothing here; use the badge of the site'),
  })

  if (location.hash === '#toggle-goatcounter')
    attempt(() => (storedOptOut('skipgc') ? localStorage.removeItem('skipgc') : localStorage.setItem('skipgc', 't')))
  if (own.no_onload) return
  whenVisible(() => attempt(() => count()))
  if (own.no_events) return
  const clicked = (event: MouseEvent) => {
    const marked = event
      .composedPath()
      .find((target): target is HTMLElement => target instanceof HTMLElement && target.hasAttribute('data-goatcounter-click'))
    if (!marked) return
    const title = read(marked, '-title') || marked.title || marked.innerHTML.slice(0, 200)
    count({
      event: true,
      path: read(marked, '-click') || marked.getAttribute('name') || marked.id,
      title,
      referrer: read(marked, '-referrer'),
    })
  }
  on('click', clicked)
  on('auxclick', clicked)
})
