import { attempt, on } from './listen.ts'

/** How the address changed: another path; another path that replaced the one before; only another query. */
export type Move = 'path' | 'replaced' | 'query'

/** Callbacks: the address changed; the page was restored from the back-forward cache. */
export type Followers = Readonly<{ moved: (how: Move) => void; restored: () => void }>

/** The Navigation API, in browsers that have it. Routers that use it do not call `history`. */
interface Navigation {
  addEventListener: (type: 'currententrychange', listener: (event: { navigationType?: string | null }) => void) => void
}

/**
 * Detects navigation to another page: another path or, with `hash`, another fragment. Another query counts if it enters
 * the history (pushState, back, forward), not if it is replaced (replaceState).
 * @param plain as Plausible's script: queries and replaced addresses do not count; with `hash`, the whole fragment is compared
 */
export const followNavigation = (hash: boolean, plain: boolean, { moved, restored }: Followers): void => {
  const here = () => {
    const [route = '', query = ''] = hash ? location.hash.split('?') : []
    // Routers with fragments turn `/` into `/#/` when they start: it is the same page, and the service stores it as one.
    return [location.pathname + route.replace(/^#!?\/?$/, ''), (plain ? '' : location.search) + '?' + query] as const
  }
  let [path, query] = here()

  const compare = (isReplaced: boolean) => {
    if (plain && isReplaced) return
    const [pathBefore, queryBefore] = [path, query]
    ;[path, query] = here()
    if (path !== pathBefore) moved(isReplaced ? 'replaced' : 'path')
    else if (!isReplaced && query !== queryBefore) moved('query')
  }

  for (const name of ['pushState', 'replaceState'] as const) {
    attempt(() => {
      const original = history[name]
      history[name] = function (...state) {
        original.apply(this, state)
        attempt(() => compare(name === 'replaceState'))
      }
    })
  }
  attempt(() => {
    const { navigation }: { navigation?: Navigation } = window
    if (navigation) {
      navigation.addEventListener('currententrychange', ({ navigationType }) => attempt(() => compare(navigationType === 'replace')))
    }
  })
  on('popstate', () => compare(false))
  on('hashchange', () => compare(false))
  on('pageshow', event => event.persisted && restored())
}
