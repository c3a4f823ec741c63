import { attempt, on } from './listen.ts'

/** What follows a change of address, and what a page restored from the back-forward cache calls for. */
export type Followers = Readonly<{ moved: () => void, restored: () => void }>

/**
 * Tells when the address becomes another page's: another path or, with `hash`, another fragment. A query makes another
 * page when it is entered in the history (pushState, back, forward), not when it is rewritten in place (replaceState).
 */
export const followNavigation = (hash: boolean, { moved, restored }: Followers): void => {
  const pathHere = () => location.pathname + (hash ? location.hash : '')
  let path = pathHere()
  let query = location.search

  const compare = (queryCounts: boolean) => {
    const another = path !== pathHere() || (queryCounts && query !== location.search)
    path = pathHere()
    query = location.search
    if (another) moved()
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
  on('pageshow', (event) => event.persisted && restored())
}
