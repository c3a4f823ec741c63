/** Filters and segment of the address, as input of a further report of the page. */
import { conditionsIn } from '../../../../runtime/ui/toolbar.tsx'

type Input = Readonly<Record<string, unknown>>

export function narrowedBy(url: URL): Input {
  const [filters, segment] = [conditionsIn(url), url.searchParams.get('segment_id')]
  return { ...(filters.length > 0 && { filters }), ...(segment && { segment_id: segment }) }
}

/** Filters, segment, period and comparison of the address, as input of a further report. */
export function askedBy(url: URL): Input {
  const names = ['period', 'from', 'to', 'compare', 'compare_from', 'compare_to', 'match_weekday'] as const
  const given = names.flatMap(name => (url.searchParams.has(name) ? [[name, url.searchParams.get(name)] as const] : []))
  const { match_weekday, ...asked } = Object.fromEntries(given)
  return { compare: 'previous_period', ...asked, ...(match_weekday && { match_weekday: match_weekday === 'true' }), ...narrowedBy(url) }
}
