/** The visits of one person, with every hit: what the site knows of who they are is not here, but in `persons`. */
import type { VisitDimension } from '../../tables/index.ts'
import type { Day } from '../days/day.ts'
import { columnsRead } from '../days/reads.ts'
import { windowOn } from '../days/spans.ts'
import type { Dictionary } from '../days/dictionary.ts'
import { readsOver } from '../scan/day-counter.ts'
import type { Span } from '../vocabulary/scope.ts'
import type { Report } from './report.ts'

const shown = [
  'channel',
  'source',
  'referrer',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'country',
  'region',
  'city',
  'browser',
  'os',
  'device',
  'language',
  'entry_page',
  'exit_page',
  'hostname',
] as const satisfies readonly VisitDimension[]
export type ShownOfVisit = (typeof shown)[number]

export interface PersonQuestion {
  readonly report: 'person'
  readonly person: number
  readonly span: Span
}
export interface PersonHit {
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
export interface PersonVisit {
  readonly texts: Readonly<Record<ShownOfVisit, string>>
  readonly startedAt: number
  readonly duration: number
  readonly pageviews: number
  readonly revenue: number
  readonly purchases: number
  readonly hits: readonly PersonHit[]
}
export interface PersonVisits {
  readonly report: 'person'
  /** Newest first. */
  readonly visits: PersonVisit[]
}

const read = columnsRead(
  'visits.person',
  'visits.firstHit',
  'visits.pageviews',
  'visits.duration',
  'visits.revenue',
  'visits.purchases',
  ...shown.map(name => `visits.${name}` as const),
  'hits.at',
  'hits.page',
  'hits.event',
  'hits.revenue',
  'hits.engaged',
  'hits.scroll',
  'props.hit',
  'props.key',
  'props.value',
)

export const personReport: Report<PersonQuestion, PersonVisits> = async (_, { person, span }, { texts }) => {
  const [pages, events, keys] = [await texts.of('page'), await texts.of('event'), await texts.of('prop_key')]
  const values = new Map<number, Dictionary>()
  const dimensions = new Map<ShownOfVisit, Dictionary>()
  for (const name of shown) dimensions.set(name, await texts.of(name))
  const visits: PersonVisit[] = []

  async function add(day: Day): Promise<void> {
    if (windowOn(span, day) === undefined) return
    const { visits: all, hits, props, startsAt, cut } = day
    let p = 0
    for (let v = 0; v < all.count; v++) {
      if (all.person[v] !== person) continue
      const [from, to] = [all.firstHit[v] ?? 0, all.firstHit[v + 1] ?? 0]
      const startedAt = startsAt + (hits.at[from] ?? 0)
      if (cut && (startedAt < cut.from || startedAt >= cut.to)) continue // a view of another day has it
      const ofVisit: PersonHit[] = []
      for (let h = from; h < to; h++) {
        while (p < props.count && (props.hit[p] ?? 0) < h) p++
        const own: Record<string, string> = {}
        for (; p < props.count && props.hit[p] === h; p++) {
          const key = props.key[p] ?? 0
          const known = values.get(key) ?? (await texts.ofProperty(key))
          values.set(key, known)
          own[keys[key] ?? ''] = known[props.value[p] ?? 0] ?? ''
        }
        const event = hits.event[h] ?? 0
        if (event !== 0 && (events[event] ?? '') === '') continue // of a deleted event
        ofVisit.push({
          at: startsAt + (hits.at[h] ?? 0),
          page: pages[hits.page[h] ?? 0] ?? '',
          event: events[event] ?? '',
          revenue: hits.revenue[h] ?? 0,
          engaged: hits.engaged[h] ?? 0,
          scroll: hits.scroll[h] ?? 0,
          props: own,
        })
      }
      const textOf = (name: ShownOfVisit): string => dimensions.get(name)?.[all[name][v] ?? 0] ?? ''
      visits.push({
        texts: Object.fromEntries(shown.map(name => [name, textOf(name)])) as Record<ShownOfVisit, string>, // one each
        startedAt,
        duration: all.duration[v] ?? 0,
        pageviews: all.pageviews[v] ?? 0,
        revenue: all.revenue[v] ?? 0,
        purchases: all.purchases[v] ?? 0,
        hits: ofVisit,
      })
    }
  }

  return {
    spans: [span],
    reads: readsOver(span, { whole: read, part: read }),
    scans: true,
    add,
    answer: () => ({ report: 'person', visits: visits.sort((a, b) => b.startedAt - a.startedAt) }),
  }
}
