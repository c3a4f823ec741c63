import { type Mark, watchInteractions } from './interactions.ts'
import { attempt, whenVisible } from './listen.ts'
import { followNavigation } from './navigation.ts'
import { createPage } from './page.ts'
import type { Call, EventOptions, Tracking } from './protocol.ts'
import { createSender } from './send.ts'
import type { Settings } from './settings.ts'

/** A script of type module has no `currentScript`. */
export const ownTag = () => {
  const { currentScript } = document
  return currentScript instanceof HTMLScriptElement ? currentScript : document.querySelector<HTMLScriptElement>('script[data-domain]')
}

/**
 * Starts tracking, once a page.
 * @param name of the function that pages call; until now it is their stub
 * @param mark reads the event that an element of the page names
 * @param adapted brings a call of the page into our form, unless it handles it
 */
export const start = (
  name: 'footfall' | 'plausible',
  settings: Settings,
  mark: Mark,
  started: () => void,
  adapted: (call: Call, page: ReturnType<typeof createPage>) => Call | undefined,
): void => {
  const stub = window[name]
  if (stub && stub.loaded) return

  // Calls are queued until the page is visible, after those that the page's stub has queued.
  const queued: Call[] = stub && Array.isArray(stub.q) ? stub.q : []
  let handle = (call: Call) => {
    queued.push(call)
  }
  const tracking: Tracking = (...call) => attempt(() => handle(call))
  tracking.q = { push: call => tracking(...call) }
  tracking.loaded = true
  window[name] = tracking

  whenVisible(() =>
    attempt(() => {
      const page = createPage(settings, createSender(name, settings))
      const track = (event: string, options: EventOptions = {}) => (event === 'pageview' ? page.view(options) : page.event(event, options))
      if (!settings.manual) {
        page.view()
        followNavigation(settings.hash, settings.plain, { moved: page.move, restored: page.view })
      }
      handle = call => {
        const ours = adapted(call, page)
        if (ours) track(ours[0], ours[1] || {})
      }
      queued.forEach(call => attempt(() => handle(call)))
      watchInteractions(settings, mark, track)
      started()
    }),
  )
}
