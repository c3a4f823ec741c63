/** Query parameters that are part of a page. */
import { storedPath } from './address.ts'

/**
 * Adds the parameters of the query that belong to the page: `/` with `?utm_source=a&p=12` is `/?p=12` on a site whose pages have `p`.
 * A route of the fragment stays behind them. Names are sorted, and values of one name keep their order.
 * @param names the site's, sorted
 */
export function withPageParameters<Hit extends { readonly page: string; readonly query: URLSearchParams }>(
  hit: Hit,
  names: readonly string[],
): Hit {
  if (names.length === 0) return hit
  const pairs = names.flatMap(name => hit.query.getAll(name).map(value => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`))
  if (pairs.length === 0) return hit
  const [path = '', ...route] = hit.page.split(/(?=#)/)
  return { ...hit, page: storedPath(`${path}?${pairs.join('&')}${route.join('')}`) }
}
