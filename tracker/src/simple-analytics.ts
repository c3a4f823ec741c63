/** The script for pages with Simple Analytics' tag: `<script async src="https://HOST/latest.js">`. */
import { automated } from './automated.ts'
import { open } from './foreign.ts'
import { attempt } from './listen.ts'
import type { EventOptions, Props } from './protocol.ts'
import { pathPattern, readSettings, type Settings } from './settings.ts'

type Done = () => void
type Event = (event: string | number | (() => string), metadata?: Props | Done, callback?: Done) => void

attempt(() => {
  const { currentScript } = document
  const tag =
    currentScript instanceof HTMLScriptElement ? currentScript : document.querySelector<HTMLScriptElement>('script[src*="/latest.js"]')
  const globals = window as unknown as Record<string, unknown>
  if (!tag || globals.sa_loaded) return
  globals.sa_loaded = globals.sa_event_loaded = true
  const given = (globals.sa_settings || {}) as Record<string, unknown>
  const option = (camel: string, dashed: string) => given[camel] ?? tag.getAttribute('data-' + dashed) ?? undefined
  const text = (camel: string, dashed: string) => String(option(camel, dashed) ?? '')
  const ignored = text('ignorePages', 'ignore-pages')
    .split(/, ?/)
    .filter(page => page)
    .map(page => (page.startsWith('/') ? page : '/' + page))
    .join()
  const hostname = text('hostname', 'hostname')
  const overwrite = globals[text('pathOverwriter', 'path-overwriter')]
  const collector = globals[text('metadataCollector', 'metadata-collector')]
  const metadata = (of: Props, more?: Props): Props =>
    Object.assign({}, more, globals.sa_metadata, typeof collector === 'function' ? collector(Object.assign({}, more, of)) : undefined)
  const addressOf = (path?: string) => {
    const own = path ? new URL(path.startsWith('/') ? path : '/' + path, location.href) : new URL(location.href)
    if (typeof overwrite === 'function') own.pathname = overwrite({ path: own.pathname }) || own.pathname
    return own.href
  }
  const isManual = option('autoCollect', 'auto-collect') === false || text('autoCollect', 'auto-collect') === 'false'
  const settings: Settings = Object.assign(readSettings(tag), {
    domain: hostname || undefined,
    manual: true,
    hash: text('mode', 'mode') === 'hash',
    dnt: !/true/.test(text('collectDnt', 'collect-dnt') + text('collectDnt', 'ignore-dnt') + text('collectDnt', 'skip-dnt')),
    outbound: false,
    downloads: [],
    refused: () => automated('sa'),
    props: (event: string) => metadata({ type: event === 'pageview' ? event : 'event', path: location.pathname }),
    covers: (path: string) => !ignored || !pathPattern(ignored, '.*').test(path),
  })
  const withPage = open('sa', settings, { follows: !isManual, links: false })
  const view = (path?: string, props?: Props) => withPage(page => page.view({ url: addressOf(path), props } as EventOptions))
  if (isManual) globals.sa_pageview = view
  else view()

  const name = text('saGlobal', 'sa-global') || 'sa_event'
  const track: Event = (event, props, callback) => {
    const done = typeof props === 'function' ? props : callback
    const named = String(typeof event === 'function' ? event() : event)
      .replace(/[^a-z0-9]+/gi, '_')
      .replace(/(^_|_$)/g, '')
    const options = { props: typeof props === 'object' ? props : undefined, callback: () => done && done() }
    if (named) withPage(page => page.event(named, options as EventOptions))
  }
  const stub = globals[name] as { q?: ArrayLike<Parameters<Event>>[] } | undefined
  const queued = (stub && stub.q) || []
  globals[name] = track
  Array.from(queued as Iterable<unknown>).forEach(call =>
    attempt(() =>
      typeof call === 'object' && call ? track(...(Array.from(call as ArrayLike<never>) as unknown as [string])) : track(String(call)),
    ),
  )
})
