/** The script for pages with Umami's tag: `<script defer data-website-id="…" src="https://HOST/script.js">`. */
import { automated } from './automated.ts'
import { storedOptOut, tagWith } from './foreign.ts'
import { attempt, on } from './listen.ts'
import type { Vitals } from './protocol.ts'

type Payload = Record<string, unknown>
type Track = (what?: string | Payload | ((payload: Payload) => Payload), data?: Payload) => Promise<void>

declare global {
  interface Window {
    umami?: { track: Track; identify: (id: string | Payload, data?: Payload) => Promise<void>; getSession?: () => object }
  }
}

/** Routers change the address first, and the title after it. In ms. */
const SETTLING = 300
const EVENT = 'data-umami-event'

attempt(() => {
  const tag = tagWith('data-website-id')
  if (!tag || window.umami) return
  const read = (name: string) => tag.getAttribute('data-' + name) || ''
  const is = (name: string) => read(name) === 'true'
  const website = read('website-id')
  const host = read('host-url') || new URL('.', tag.src).href
  const endpoint = host.replace(/\/$/, '') + '/api/send'
  const domains = read('domains')
    .split(',')
    .map(domain => domain.trim())
  const { doNotTrack }: { doNotTrack?: unknown } = navigator

  const address = (url: string) => {
    const parsed = new URL(url, location.href)
    if (is('exclude-search')) parsed.search = ''
    if (is('exclude-hash')) parsed.hash = ''
    return parsed.href
  }

  let isDisabled = false
  let url = address(location.href)
  let referrer = document.referrer.startsWith(location.origin + '/') ? '' : document.referrer && address(document.referrer)
  let identity: string | undefined
  let timer = 0

  const isRefused = () =>
    isDisabled ||
    !website ||
    automated('umami') ||
    storedOptOut('umami.disabled') ||
    (read('domains') && !domains.includes(location.hostname)) ||
    (is('do-not-track') && /^(1|yes)$/.test(String(doNotTrack)))

  const payload = (): Payload => ({
    website,
    screen: screen.width + 'x' + screen.height,
    language: navigator.language,
    title: document.title,
    hostname: location.hostname,
    url,
    referrer,
    tag: read('tag') || undefined,
    id: identity,
  })

  const send = async (message: Payload, type = 'event') => {
    if (isRefused()) return
    const change = Reflect.get(window, read('before-send'))
    const changed = typeof change === 'function' ? await change(type, message) : message
    if (!changed) return
    try {
      const headers = { 'Content-Type': 'application/json' }
      const body = JSON.stringify({ type, payload: changed })
      const answer = await fetch(endpoint, { method: 'POST', keepalive: true, credentials: 'omit', headers, body })
      isDisabled = !!(await answer.json()).disabled
    } catch {}
  }

  const track: Track = (what, data) => {
    if (typeof what === 'string') return send(Object.assign(payload(), { name: what, data }))
    if (typeof what === 'function') return send(what(payload()))
    return send(what ? Object.assign({}, what) : payload())
  }
  const identify = (id: string | Payload, data?: Payload) => {
    if (typeof id === 'string') identity = id
    return send(Object.assign(payload(), { data: typeof id === 'string' ? data : id }), 'identify')
  }
  window.umami = { track, identify, getSession: () => ({ website }) }

  const moved = (to: string) => {
    const next = address(to)
    if (next === url) return
    referrer = url
    url = next
    clearTimeout(timer)
    timer = setTimeout(() => void track(), SETTLING)
  }

  const start = () => {
    void track()
    for (const name of ['pushState', 'replaceState'] as const) {
      attempt(() => {
        const original = history[name]
        history[name] = function (...state) {
          original.apply(this, state)
          attempt(() => moved(location.href))
        }
      })
    }
    on('popstate', () => moved(location.href))
    on('click', event => {
      const marked = event.composedPath().find((target): target is Element => target instanceof Element && target.hasAttribute(EVENT))
      if (!marked) return
      const data: Payload = {}
      for (const name of marked.getAttributeNames()) {
        if (name.startsWith(EVENT + '-')) data[name.slice(EVENT.length + 1)] = marked.getAttribute(name)
      }
      void track(marked.getAttribute(EVENT) || '', data)
    })
    if (!is('performance')) return
    window.footfall ??= ((_: string, options: { url?: string; vitals?: Vitals } = {}) =>
      void send(Object.assign(payload(), { url: options.url }, options.vitals), 'performance')) as never
    const vitals = document.createElement('script')
    vitals.nonce = tag.nonce
    vitals.src = new URL('js/footfall.vitals.js', tag.src).href
    document.head.appendChild(vitals)
  }

  if (read('auto-track') === 'false' || isRefused()) return
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start, { once: true })
  else start()
})
