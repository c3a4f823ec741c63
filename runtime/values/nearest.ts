/** The name that was meant by one that is not there: `siteId`, `start_date`, `filter`. */
import { editDistance } from './edit-distance.ts'

/** Names of arguments in other services, by their name here. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  period: ['range', 'date_range', 'time_range', 'timeframe', 'duration', 'last'],
  from: ['start', 'start_date', 'since', 'after'],
  to: ['end', 'end_date', 'until', 'before'],
  site_id: ['site', 'website', 'domain', 'property', 'property_id'],
  workspace_id: ['workspace', 'account', 'organization', 'team'],
  segment_id: ['segment'],
  dimension: ['group_by', 'by', 'breakdown', 'dimensions'],
  interval: ['granularity', 'unit', 'resolution', 'time_unit'],
  compare: ['comparison', 'compare_to_previous'],
  limit: ['count', 'size', 'top', 'max', 'per_page'],
  per_page: ['limit', 'page_size'],
  search: ['q', 'query', 'contains'],
  sort: ['order_by', 'sort_by', 'order'],
  path: ['page', 'url', 'page_path'],
  name: ['title', 'event', 'event_name'],
  text: ['message', 'note', 'body'],
}

/** @returns undefined if nothing is near */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const text = snake(given)
  const known = names.find(name => name === text || elsewhere[name]?.includes(text))
  if (known !== undefined) return known
  const near = names
    .map(name => ({ name, distance: editDistance(text, name) - (sharesWord(text, name) ? 3 : 0) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(Math.min(text.length, name.length) / 3)))
    .sort((a, b) => a.distance - b.distance)
  return near[0]?.name
}

/** `siteId`, `site-id` → `site_id` */
const snake = (text: string): string =>
  text
    .slice(0, 80)
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')

const sharesWord = (a: string, b: string): boolean => {
  const words = b.split('_')
  return a.split('_').some(word => word.length > 2 && words.includes(word))
}
