/** Addresses of other reports over the same period, with the same filters. */
const common = new Set([
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
])

/** @param url the page that is left */
export function linkTo(path: string | undefined, url: URL, parameters: Readonly<Record<string, string>> = {}): string | undefined {
  if (path === undefined) return undefined
  const kept = [...url.searchParams].filter(([name]) => common.has(name) && !Object.hasOwn(parameters, name))
  const query = new URLSearchParams([...kept, ...Object.entries(parameters)]).toString()
  return query === '' ? path : `${path}?${query}`
}
