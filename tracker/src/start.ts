import { type Mark, watchInteractions } from './interactions.ts'
import { attempt, whenVisible } from './listen.ts'
import { followNavigation } from './navigation.ts'
import { createPage } from './page.ts'
import type { Call, EventOptions, Tracking } from './protocol.ts'
import { createSender } from './send.ts'
import type { PageSettings, Settings } from './settings.ts'

/** A script of type module has no `currentScript`. */
export const ownTag = () => {
  const { currentScript } = document
  return currentScript instanceof HTMLScriptElement ? currentScript : document.querySelector<HTMLScriptElement>('script[data-domain]')
}

type Page = ReturnType<typeof createPage>
/** Brings a call of the page into our form, unless it handles it. */
type Adapted = (call: Call, page: Page) => Call | undefined
type Track = (event: string, options?: EventOptions) => void

/**
 * Begins once the page is visible: its pageview, pageviews of its routes, and the calls that wait.
 * @param queued calls that wait; more may follow through `taking`
 * @param taking receives, at once, what takes calls from then on
 */
export const begin = (
  name: 'footfall' | 'plausible',
  settings: PageSettings,
  queued: Call[],
  adapted: Adapted,
  taking: (take: (call: Call) => void) => void,
  started?: (track: Track) => void,
): void => {
  let handle = (call: Call) => {
    queued.push(call)
  }
  taking(call => attempt(() => handle(call)))
  whenVisible(() =>
    attempt(() => {
      const page = createPage(settings, createSender(name, settings))
      const track: Track = (event, options = {}) => (event === 'pageview' ? page.view(options) : page.event(event, options))
      if (!settings.manual) {
        page.view()
        followNavigation(settings.hash, settings.plain, { moved: page.move, restored: page.view })
      }
      handle = call => {
        const ours = adapted(call, page)
        if (ours) track(ours[0], ours[1] || {})
      }
      queued.forEach(call => attempt(() => handle(call)))
      if (started) started(track)
    }),
  )
}

/**
 * Starts the script, once a page.
 * @param name of the function that pages call; until now it is their stub
 * @param mark reads the event that an element of the page names
 */
export const start = (name: 'footfall' | 'plausible', settings: Settings, mark: Mark, started: () => void, adapted: Adapted): void => {
  const stub = window[name]
  if (stub && stub.loaded) return
  begin(
    name,
    settings,
    stub && Array.isArray(stub.q) ? stub.q : [],
    adapted,
    take => {
      const tracking: Tracking = (...call) => take(call)
      tracking.q = { push: take }
      tracking.loaded = true
      window[name] = tracking
    },
    track => {
      watchInteractions(settings, mark, track)
      started()
    },
  )
}
