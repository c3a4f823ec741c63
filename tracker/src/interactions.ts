import { on } from './listen.ts'
import type { EventOptions } from './protocol.ts'

const MIDDLE_BUTTON = 1

/** Links whose clicks are events. */
export interface Watched {
  /** Extensions that are downloads. */
  readonly downloads: readonly string[]
  /** Whether clicks on links to other sites are sent. */
  readonly outbound: boolean
}

type Track = (name: string, options: EventOptions) => void
/** The event that an element of the page names, if it does. */
export type Mark = (element: Element) => readonly [name: string, options: EventOptions] | undefined

/** The attributes that begin with `prefix`, by the rest of their names; `undefined` when there are none. */
export const attributesOf = (element: Element, prefix: string) => {
  let values: Record<string, string | null> | undefined
  // Not `element.attributes`, which in a form may be a field of that name.
  for (const name of element.getAttributeNames()) {
    if (name.startsWith(prefix)) (values = values || {})[name.slice(prefix.length)] = element.getAttribute(name)
  }
  return values
}

/**
 * Watches clicks on links and marked elements, and submissions of marked forms. Each sends at most one event: the one
 * that the page names, else a download, else an outbound link. Nothing is prevented or delayed.
 */
export const watchInteractions = ({ downloads, outbound }: Watched, mark: Mark, track: Track): void => {
  const trackMarked = (element: Element) => {
    const event = mark(element)
    if (event) track(...event)
  }

  const trackLink = ({ href, protocol, pathname, host }: HTMLAnchorElement | HTMLAreaElement) => {
    if (!/^http/.test(protocol)) return
    const extension = pathname.split('.').pop() || ''
    if (downloads.includes(extension.toLowerCase())) track('File Download', { props: { url: href.split(/[?#]/)[0] } })
    else if (outbound && host !== location.host) track('Outbound Link: Click', { props: { url: href } })
  }

  const clicked = (event: MouseEvent) => {
    // `composedPath` crosses shadow trees; `closest` stops at them.
    const path = event.composedPath().filter((target): target is Element => target instanceof Element)
    const link = path.find(
      (element): element is HTMLAnchorElement | HTMLAreaElement =>
        (element instanceof HTMLAnchorElement || element instanceof HTMLAreaElement) && element.href !== '',
    )
    if (event.type === 'auxclick' && !(link && event.button === MIDDLE_BUTTON)) return
    const marked = path.find(mark)
    if (marked && !(marked instanceof HTMLFormElement)) trackMarked(marked)
    else if (link) trackLink(link)
  }

  on('click', clicked)
  on('auxclick', clicked)
  on('submit', ({ target }) => target instanceof HTMLFormElement && trackMarked(target))
}
