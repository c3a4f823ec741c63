/** Pinned sites: they come first in lists. The browser remembers them, as it does tabs. */
import { withQuery } from '../../../runtime/ui/words.ts'
import type { SiteFigures } from './records.ts'

/** Parameter of the address: ids, with dots between. */
export const PINNED = 'pinned'
const MAX_PINNED = 12
/** Pins nothing: an empty parameter would leave the remembered pins. */
const NONE = '-'

export const pinnedIn = ({ searchParams }: URL): readonly string[] =>
  (searchParams.get(PINNED) ?? '')
    .split('.')
    .filter(id => id !== '' && id !== NONE)
    .slice(0, MAX_PINNED)

/** The address that pins a site first, or no longer pins it. */
export function togglePin(url: URL, id: string): string {
  const pinned = pinnedIn(url)
  const next = pinned.includes(id) ? pinned.filter(each => each !== id) : [id, ...pinned].slice(0, MAX_PINNED)
  return withQuery(url, { [PINNED]: next.length === 0 ? NONE : next.join('.') })
}

interface Order {
  readonly figures: ReadonlyMap<string, SiteFigures>
  readonly pinned: readonly string[]
}

/** Pinned sites, then the others by their visitors; sites without figures last, as they were. */
export function inOrder<S extends { readonly id: string }>(sites: readonly S[], { figures, pinned }: Order): readonly S[] {
  const visitors = ({ id }: S) => figures.get(id)?.now.visitors ?? -1
  const place = ({ id }: S) => (pinned.includes(id) ? pinned.indexOf(id) : pinned.length)
  return sites.toSorted((a, b) => place(a) - place(b) || visitors(b) - visitors(a))
}
