import { attempt, on } from './listen.ts'

/**
 * Callbacks: the address changed; the page was restored from the back-forward cache.
 * `isReplaced`: the address replaced the one before. `isQuery`: the path is the same.
 */
export type Followers = Readonly<{ moved: (isReplaced: boolean, isQuery: boolean) => void; restored: () => void }>

/** The Navigation API, in browsers that have it. Routers that use it do not call `history`. */
interface Navigation {
  addEventListener: (type: 'currententrychange', listener: (event: { navigationType?: string | null }) => void) => void
}

/**
 * Detects navigation: another path, another query or, with `hash`, another fragment.
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
    if (path !== pathBefore || query !== queryBefore) moved(isReplaced, path === pathBefore)
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
    const { navigation } = window as unknown as { navigation: Navigation } // fails if there is none
    navigation.addEventListener('currententrychange', ({ navigationType }) => attempt(() => compare(navigationType === 'replace')))
  })
  on('popstate', () => compare(false))
  on('hashchange', () => compare(false))
  on('pageshow', event => event.persisted && restored())
}
