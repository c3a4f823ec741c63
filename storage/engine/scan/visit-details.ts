/** Texts and hits of single visits: what a list of visits and a timeline show. (Every `!` is inside bounds.) */
import type { VisitDimension } from '../../tables/index.ts'
import type { Day } from '../days/day.ts'
import type { Dictionary } from '../days/dictionary.ts'
import { columnsRead } from '../days/reads.ts'
import type { Texts } from '../days/texts.ts'
import { VISITS_PER_VISITOR } from '../../hits/visit-ids.ts'

const shown = [
  ...(['channel', 'source', 'referrer', 'utm_source', 'utm_medium', 'utm_campaign', 'country', 'region', 'city'] as const),
  ...(['browser', 'os', 'device', 'language', 'entry_page', 'exit_page', 'hostname'] as const),
] as const satisfies readonly VisitDimension[]
export type ShownOfVisit = (typeof shown)[number]

export interface HitDetail {
  /** Epoch ms. */
  readonly at: number
  readonly page: string
  /** '' for a pageview. */
  readonly event: string
  readonly revenue: number
  readonly engaged: number
  readonly scroll: number
  readonly props: Readonly<Record<string, string>>
}
export interface VisitDetail {
  readonly texts: Readonly<Record<ShownOfVisit, string>>
  /** Number of the visitor · 256 + number of the visit: unique within the stored day. */
  readonly id: number
  /** 0 for none. */
  readonly person: number
  readonly startedAt: number
  readonly duration: number
  readonly pageviews: number
  /** Without hits of deleted events. */
  readonly events: number
  readonly revenue: number
  readonly purchases: number
}

/** Columns that `visit` reads. */
export const detailsRead = columnsRead(
  'visits.visitor',
  'visits.number',
  'visits.person',
  'visits.firstHit',
  'visits.pageviews',
  'visits.duration',
  'visits.bounce',
  'visits.revenue',
  'visits.purchases',
  ...shown.map(name => `visits.${name}` as const),
  'hits.at',
  'hits.event',
)
/** Columns that `hits` reads in addition. */
export const hitDetailsRead = columnsRead(
  'hits.page',
  'hits.revenue',
  'hits.engaged',
  'hits.scroll',
  'props.hit',
  'props.key',
  'props.value',
)

export const idOfVisit = ({ visits: { visitor, number } }: Day, visit: number): number =>
  visitor[visit]! * VISITS_PER_VISITOR + number[visit]!
export const startOfVisit = ({ startsAt, visits, hits }: Day, visit: number): number => startsAt + hits.at[visits.firstHit[visit]!]!

export async function visitDetails(texts: Texts) {
  const [pages, events, keys] = [await texts.of('page'), await texts.of('event'), await texts.of('prop_key')]
  const dimensions = new Map<ShownOfVisit, Dictionary>()
  for (const name of shown) dimensions.set(name, await texts.of(name))
  const values = new Map<number, Dictionary>()
  const valuesOf = async (key: number) => {
    const known = values.get(key) ?? (await texts.ofProperty(key))
    values.set(key, known)
    return known
  }
  /** Whether a hit is a pageview, or an event that is not deleted. */
  const isShown = (event: number) => event === 0 || (events[event] ?? '') !== ''

  return {
    visit(day: Day, v: number): VisitDetail {
      const { visits: all, hits } = day
      let count = 0
      for (let h = all.firstHit[v]!; h < all.firstHit[v + 1]!; h++) if (hits.event[h] !== 0 && isShown(hits.event[h]!)) count++
      return {
        texts: Object.fromEntries(shown.map(name => [name, dimensions.get(name)?.[all[name][v]!] ?? ''])) as VisitDetail['texts'], // one each
        id: idOfVisit(day, v),
        person: all.person[v]!,
        startedAt: startOfVisit(day, v),
        duration: all.bounce[v] === 1 ? 0 : all.duration[v]!,
        pageviews: all.pageviews[v]!,
        events: count,
        revenue: all.revenue[v]!,
        purchases: all.purchases[v]!,
      }
    },

    /** The hits of a visit in order, without hits of deleted events. @param offset and `limit` of them */
    async hits(day: Day, v: number, { offset, limit }: { readonly offset: number; readonly limit: number }): Promise<HitDetail[]> {
      const { visits, hits, props, startsAt } = day
      const found: HitDetail[] = []
      let place = 0
      let p = firstAtLeast(props.hit, props.count, visits.firstHit[v]!)
      for (let h = visits.firstHit[v]!; h < visits.firstHit[v + 1]! && found.length < limit; h++) {
        const event = hits.event[h]!
        if (!isShown(event) || place++ < offset) continue
        while (p < props.count && props.hit[p]! < h) p++
        const own: [string, string][] = []
        for (; p < props.count && props.hit[p] === h; p++) {
          const key = props.key[p]!
          own.push([keys[key] ?? '', (await valuesOf(key))[props.value[p]!] ?? ''])
        }
        found.push({
          at: startsAt + hits.at[h]!,
          page: pages[hits.page[h]!] ?? '',
          event: events[event] ?? '',
          revenue: hits.revenue[h]!,
          engaged: hits.engaged[h]!,
          scroll: hits.scroll[h]!,
          props: Object.fromEntries(own),
        })
      }
      return found
    },
  }
}

/** The first place of a sorted column with this number or a higher one. */
function firstAtLeast(sorted: ArrayLike<number>, count: number, min: number): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < min) low = middle + 1
    else high = middle
  }
  return low
}
