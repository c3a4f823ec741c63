/** The script of one site, at a path of its own: its settings are in it, so its tag needs no attributes. */
import { automated } from './automated.ts'
import { watchClicks } from './clicks.ts'
import { byAttributes } from './footfall-mark.ts'
import { attempt, on } from './listen.ts'
import { aboutPeople } from './people.ts'
import type { Call } from './protocol.ts'
import { FILES, listed, pathPattern } from './settings.ts'
import { start } from './start.ts'

/** The site's settings as JSON. The service writes them here. */
declare const SETTINGS: string

interface Baked {
  /** Address of this script, for a page that loads it in another way than by a tag. */
  readonly src: string
  readonly hash: boolean
  readonly outbound: boolean
  readonly downloads: boolean
  /** Extensions instead of the usual. */
  readonly extensions: string
  readonly forms: boolean
  readonly clicks: boolean
  readonly dnt: boolean
  readonly include: string
  readonly exclude: string
  /** Selectors of click goals, and the events that clicks on such elements send. */
  readonly goals: readonly (readonly [selector: string, event: string])[]
}

/** A selector that the browser does not know fits nothing. */
const fits = (element: Element, selector: string): boolean => {
  try {
    return element.matches(selector)
  } catch {
    return false
  }
}

const PARAMETER = 'footfall_verify'

attempt(() => {
  const baked: Baked = JSON.parse(SETTINGS)
  const { currentScript } = document
  const tag = currentScript instanceof HTMLScriptElement && currentScript.src ? currentScript : undefined
  // Hits go to where the script came from, which may be a proxy on the page's own host.
  const endpoint = (tag ? tag.src : baked.src).replace(/\.js([?#].*)?$/, '')
  const { include, exclude } = baked
  const covers = (path: string) =>
    (!include || pathPattern(include, '.*').test(path)) && !(exclude && pathPattern(exclude, '.*').test(path))
  const settings = {
    domain: undefined,
    endpoint,
    hash: baked.hash,
    manual: false,
    clicks: baked.clicks ? watchClicks : undefined,
    dnt: baked.dnt,
    outbound: baked.outbound,
    refused: () => automated('footfall'),
    plain: false,
    post: undefined,
    props: undefined,
    downloads: baked.downloads ? listed((baked.extensions || FILES).toLowerCase()) : [],
    covers,
  }
  const mark = (element: Element) =>
    byAttributes(element) ||
    (baked.forms && element instanceof HTMLFormElement ? (['Form: Submission', { props: { path: location.pathname } }] as Call) : undefined)
  start('footfall', settings, mark as typeof byAttributes, () => {}, aboutPeople(settings))

  // Not in place of other events of the click: a goal that is added takes nothing from them.
  if (baked.goals.length > 0)
    on('click', event => {
      const path = event.composedPath().filter((target): target is Element => target instanceof Element)
      const clicked = baked.goals.filter(([selector]) => path.some(element => fits(element, selector)))
      for (const name of new Set(clicked.map(([, name]) => name))) window.footfall?.(name)
    })

  // The owner has opened the page to see whether this script runs here.
  const nonce = new URLSearchParams(location.search).get(PARAMETER)
  if (nonce)
    fetch(endpoint, { method: 'POST', body: JSON.stringify({ n: 'verify', nonce }), keepalive: true, credentials: 'omit' }).catch(() => {})
})
