/** Addresses of other pages over the same period, with the same filters. */

/** Parameters that go along from page to page of a site. A page that has no use for one ignores it and passes it on. */
export const carried: ReadonlySet<string> = new Set([
  'period',
  'from',
  'to',
  'filters',
  'compare',
  'compare_from',
  'compare_to',
  'segment_id',
  'match_weekday',
  'include_imported',
  'interval',
])

/** The parameters that an address passes on. */
export const carriedIn = (query: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...query].filter(([name, value]) => carried.has(name) && value !== ''))

/** Adds the parameters that go along to a link. @param url the page with the link @param parameters take precedence over its parameters */
export function linkTo<P extends string | undefined>(path: P, url: URL, parameters: Readonly<Record<string, string>> = {}): P | string {
  if (path === undefined) return path
  const kept = [...carriedIn(url.searchParams)].filter(([name]) => !Object.hasOwn(parameters, name))
  const query = new URLSearchParams([...kept, ...Object.entries(parameters)]).toString()
  return query === '' ? path : `${path}?${query}`
}
