import { attempt, on } from './listen.ts'

/** Callbacks: the address changed; the page was restored from the back-forward cache. */
export type Followers = Readonly<{ moved: () => void; restored: () => void }>

/**
 * Detects navigation to another page: another path or, with `hash`, another fragment. Another query counts if it enters
 * the history (pushState, back, forward), not if it is replaced (replaceState).
 */
export const followNavigation = (hash: boolean, { moved, restored }: Followers): void => {
  const here = () => {
    const [route = '', query = ''] = hash ? location.hash.split('?') : []
    // Routers with fragments turn `/` into `/#/` when they start: it is the same page, and the service stores it as one.
    return [location.pathname + route.replace(/^#!?\/?$/, ''), location.search + '?' + query] as const
  }
  let [path, query] = here()

  const compare = (queryCounts: boolean) => {
    const [pathBefore, queryBefore] = [path, query]
    ;[path, query] = here()
    if (path !== pathBefore || (queryCounts && query !== queryBefore)) moved()
  }

  for (const name of ['pushState', 'replaceState'] as const) {
    attempt(() => {
      const original = history[name]
      history[name] = function (...state) {
        original.apply(this, state)
        attempt(() => compare(name === 'pushState'))
      }
    })
  }
  on('popstate', () => compare(true))
  on('hashchange', () => compare(true))
  on('pageshow', event => event.persisted && restored())
}
