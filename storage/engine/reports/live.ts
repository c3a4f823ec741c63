/**
 * Current visitors: one pass over the visits of the open day and, around midnight, of the day before. A visit counts by
 * its last activity, so that someone who keeps reading counts, on the last page viewed. (Every `!` reads inside a
 * column's bounds.)
 */
import type { Day } from '../days/day.ts'
import type { Dictionary } from '../days/dictionary.ts'
import { allReads, columnsRead } from '../days/reads.ts'
import { readsOfConditions } from '../scan/condition.ts'
import { readsOver } from '../scan/day-counter.ts'
import type { Span } from '../vocabulary/scope.ts'
import type { Report } from './report.ts'
import { resolveAll } from '../scan/resolve.ts'

/** How long after the last activity a visitor counts as current (docs/analytics.md §1). */
export const ACTIVE_MS = 5 * 60_000

export interface LiveQuestion {
  readonly report: 'live'
  /** The last minutes. Visitors active since `activeFrom`, epoch ms, are current. */
  readonly span: Span
  readonly activeFrom: number
  /** Most rows of each dimension. */
  readonly limit: number
}

export interface Present {
  readonly value: string
  readonly visitors: number
}
export interface Live {
  readonly report: 'live'
  readonly visitors: number
  readonly pages: Present[]
  readonly sources: Present[]
  readonly countries: Present[]
  /** By minute of the span: pageviews, and visitors with a pageview or event. */
  readonly minutes: { readonly visitors: number; readonly pageviews: number }[]
}

const MINUTE_MS = 60_000

const presenceRead = columnsRead(
  'visits.visitor',
  'visits.firstHit',
  'visits.duration',
  'visits.source',
  'visits.country',
  'hits.at',
  'hits.page',
  'hits.event',
)

export const liveReport: Report<LiveQuestion, Live> = async ({ where }, { span, activeFrom, limit }, context) => {
  const conditions = await resolveAll(where, context)
  const { texts, workspace } = context
  const [pages, sources, countries] = [
    present(await texts.of('page'), limit),
    present(await texts.of('source'), limit),
    present(await texts.of('country'), limit),
  ]
  const reads = allReads([readsOfConditions(conditions), presenceRead])
  let visitors = 0
  const minutes = Array.from({ length: Math.ceil((span.to - span.from) / MINUTE_MS) }, () => ({ visitors: 0, pageviews: 0 }))

  function add(day: Day): void {
    if (day.cut && !day.cut.isLast) return // its visits are in the last view of the stored day, too
    const { visits, hits, startsAt } = day
    const { visitor, firstHit, duration, source, country } = visits
    const mask = workspace.masks.of(day, conditions)
    let there = -1
    const lastSeen = new Int32Array(minutes.length).fill(-1)
    for (let v = 0; v < visits.count; v++) {
      if (mask !== null && mask[v] === 0) continue
      const first = firstHit[v]!
      const end = firstHit[v + 1]!
      if (first === end) continue
      const lastActive = startsAt + hits.at[first]! + duration[v]!
      if (lastActive < span.from) continue
      const who = visitor[v]!
      if (lastActive >= activeFrom && who !== there) {
        there = who
        visitors++
        pages.count(lastPage(day, first, end))
        sources.count(source[v]!)
        countries.count(country[v]!)
      }
      for (let h = end - 1; h >= first; h--) {
        const minute = Math.floor((startsAt + hits.at[h]! - span.from) / MINUTE_MS)
        if (minute < 0) break
        const counted = minutes[minute]
        if (!counted) continue // its time is in the future, as the sender's clock is ahead
        if (hits.event[h] === 0) counted.pageviews++
        if (lastSeen[minute] === who) continue
        lastSeen[minute] = who
        counted.visitors++
      }
    }
  }

  return {
    spans: [span],
    reads: readsOver(span, { whole: reads, part: reads }),
    scans: true,
    add,
    answer: () => ({
      report: 'live',
      visitors,
      pages: pages.top(),
      sources: sources.top(),
      countries: countries.top(),
      minutes,
    }),
  }
}

/** The page of the last pageview; 0 if there is none. */
function lastPage({ hits }: Day, first: number, end: number): number {
  for (let h = end - 1; h >= first; h--) if (hits.event[h] === 0) return hits.page[h]!
  return 0
}

/** Counts current visitors by value. */
function present(names: Dictionary, limit: number): { count(id: number): void; top(): Present[] } {
  const counts = new Map<number, number>()
  return {
    count: id => {
      counts.set(id, (counts.get(id) ?? 0) + 1)
    },
    top: () =>
      Array.from(counts, ([id, visitors]) => ({ value: names[id] ?? '', visitors }))
        .sort((a, b) => b.visitors - a.visitors || (a.value < b.value ? -1 : 1))
        .slice(0, limit),
  }
}
