/** Reads stored hits back, with texts in place of ids, for comparison in tests. */
import { dictionaryOf, propertyDictionary } from '../../storage/hits/dictionaries.ts'
import type { Store } from '../../storage/store.ts'

export interface StoredHit {
  at: number
  page: string
  event: string
  revenue: number
  engagedMs: number
  scroll: number
  props: Record<string, string>
}

export interface StoredVisit {
  startedAt: number
  duration: number
  pageviews: number
  events: number
  bounce: number
  entryPage: string
  exitPage: string
  source: string
  country: string
  revenue: number
  hits: StoredHit[]
}

/** The visits of each visitor and day, sorted by time, without numbers, which depend on the order of arrival. */
export async function storedVisits(store: Store, site: number): Promise<StoredVisit[][]> {
  const texts = await dictionary(store, site)
  const visits = await store.read.selectFrom('visits').selectAll().where('site_id', '=', site).execute()
  const hits = await store.read.selectFrom('hits').selectAll().where('site_id', '=', site).orderBy('at').orderBy('seq').execute()
  const props = await store.read.selectFrom('hit_props').selectAll().where('site_id', '=', site).orderBy('key').execute()
  const visitors = new Map<string, StoredVisit[]>()
  for (const visit of visits) {
    const ofVisit = (row: { day: number; visit_id: number }) => row.day === visit.day && row.visit_id === visit.visit_id
    const visitor = `${visit.day} ${Math.floor(visit.visit_id / 256)}`
    visitors.set(visitor, [
      ...(visitors.get(visitor) ?? []),
      {
        startedAt: visit.started_at,
        duration: visit.duration,
        pageviews: visit.pageviews,
        events: visit.events,
        bounce: visit.bounce,
        entryPage: texts(dictionaryOf.entry_page, visit.entry_page),
        exitPage: texts(dictionaryOf.exit_page, visit.exit_page),
        source: texts(dictionaryOf.source, visit.source),
        country: texts(dictionaryOf.country, visit.country),
        revenue: visit.revenue,
        hits: hits.filter(ofVisit).map(hit => ({
          at: hit.at,
          page: texts(dictionaryOf.page, hit.page),
          event: texts(dictionaryOf.event, hit.event),
          revenue: hit.revenue,
          engagedMs: hit.engaged_ms,
          scroll: hit.scroll,
          props: Object.fromEntries(
            props
              .filter(prop => ofVisit(prop) && prop.seq === hit.seq && prop.event === hit.event)
              .map(prop => [texts(dictionaryOf.prop_key, prop.key), texts(propertyDictionary(prop.key), prop.value)]),
          ),
        })),
      },
    ])
  }
  return sorted([...visitors.values()].map(sorted))
}

/** Texts by dictionary and id. */
export async function dictionary(store: Store, site: number): Promise<(dim: number, id: number) => string> {
  const rows = await store.read.selectFrom('dict').selectAll().where('site_id', '=', site).execute()
  const texts = new Map(rows.map(row => [`${row.dim} ${row.id}`, row.value]))
  return (dim, id) => {
    const text = id === 0 ? '' : texts.get(`${dim} ${id}`)
    if (text === undefined) throw new Error(`dictionary ${dim} has no ${id}`)
    return text
  }
}

/** Sorted only by content. */
export const sorted = <T>(items: readonly T[]): T[] => items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}
