/** The script for pages with Google's tag: `<script async src="https://HOST/gtag/js?id=G-…">` and its `dataLayer`. */
import { automated } from './automated.ts'
import { open, type Page } from './foreign.ts'
import { attempt } from './listen.ts'
import type { EventOptions, Props } from './protocol.ts'
import { readSettings, type Settings } from './settings.ts'

type Params = Record<string, unknown>

/** Events that this script sends by itself under another name. */
const RENAMED: Readonly<Record<string, string>> = {
  click: 'Outbound Link: Click',
  file_download: 'File Download',
  view_search_results: 'Search',
}
const OWN = /^(page_|send_|event_|user_|transport_|debug_mode$|currency$|items$|non_interaction$|groups$|cookie_|allow_|client_id$|update$)/

attempt(() => {
  const { currentScript } = document
  const tag =
    currentScript instanceof HTMLScriptElement ? currentScript : document.querySelector<HTMLScriptElement>('script[src*="/gtag/js"]')
  if (!tag) return
  const { searchParams: query } = new URL(tag.src)
  const globals = window as unknown as Record<string, unknown>
  const name = query.get('l') || 'dataLayer'
  const layer = (globals[name] = globals[name] || []) as unknown[] & { footfall?: true }
  if (layer.footfall) return
  layer.footfall = true

  let isDenied = false
  let shared: Params = {}
  const configured = new Set<string>()
  const settings: Settings = Object.assign(readSettings(tag), {
    manual: true,
    refused: () =>
      isDenied ? 'the page has denied consent' : globals['ga-disable-' + query.get('id')] ? 'the page has disabled it' : automated('gtag'),
  })
  const withPage = open('gtag', settings)

  const propsOf = (params: Params): Props => {
    const props: Params = {}
    for (const key of Object.keys(params)) if (!OWN.test(key) && typeof params[key] !== 'function') props[key] = params[key]
    return props
  }
  const addressOf = ({ page_location: url, page_path: path }: Params) =>
    typeof url === 'string' ? url : typeof path === 'string' ? new URL(path, location.href).href : undefined

  const identify = (id: unknown) => {
    settings.user = typeof id === 'string' || typeof id === 'number' ? id : undefined
  }
  const event = (what: string, given: Params) => (page: Page) => {
    const params = Object.assign({}, shared, given)
    const done = params.event_callback
    const callback = () => typeof done === 'function' && done(query.get('id'))
    if (params.user_id) identify(params.user_id)
    if (what === 'page_view') return page.view({ url: addressOf(params), props: propsOf(params), callback } as EventOptions)
    const isSale = /^(purchase|refund)$/.test(what)
    const value = Number(params.value)
    const revenue =
      isSale && value ? { amount: what === 'refund' ? -Math.abs(value) : value, currency: params.currency || 'XXX' } : undefined
    const props =
      what in RENAMED && params.link_url
        ? { url: params.link_url }
        : propsOf(isSale ? Object.assign({}, params, { value: undefined }) : params)
    page.event(RENAMED[what] || what, {
      url: addressOf(params),
      props,
      revenue,
      interactive: params.non_interaction !== true,
      callback,
    } as EventOptions)
  }

  const handle = (call: ArrayLike<unknown>) => {
    const [command, first, second, third] = Array.from(call)
    const params = (second && typeof second === 'object' ? second : {}) as Params
    if (command === 'config' && typeof first === 'string') {
      if (params.user_id) identify(params.user_id)
      // Several ids of one page are one site here.
      if (params.send_page_view !== false && configured.size === 0) withPage(event('page_view', params))
      configured.add(first)
    } else if (command === 'event' && typeof first === 'string') withPage(event(first, params))
    else if (command === 'set') {
      const more = typeof first === 'string' ? { [first]: second } : first
      if (more && typeof more === 'object') shared = Object.assign({}, shared, more)
      if (shared.user_id) identify(shared.user_id)
    } else if (command === 'consent')
      isDenied = params.analytics_storage === 'denied' || (isDenied && params.analytics_storage !== 'granted')
    else if (command === 'get' && typeof third === 'function') third(undefined)
  }
  /** `gtag()` pushes its arguments; Google Tag Manager's objects with `event` are for its own rules. */
  const read = (pushed: unknown) =>
    attempt(() => {
      if (pushed && typeof pushed === 'object' && 'length' in pushed) handle(pushed as ArrayLike<unknown>)
    })
  layer.slice().forEach(read)
  const push = layer.push
  layer.push = (...items: unknown[]) => {
    const length = push.apply(layer, items)
    items.forEach(read)
    return length
  }
})
