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
import { type Context, resolveAll } from '../scan/resolve.ts'
import { MINUTE_MS } from '../../values/durations.ts'

export interface LiveQuestion {
  readonly report: 'live'
  /** The last minutes. Visitors active since `activeFrom`, epoch ms, are current. */
  readonly span: Span
  readonly activeFrom: number
  /** Most rows of each dimension. */
  readonly limit: number
  /** Most of the latest hits; 0 for none. */
  readonly latest: number
}

export interface Present {
  readonly value: string
  readonly visitors: number
}
/** A pageview or an event. */
export interface LatestHit {
  /** Epoch ms. */
  readonly at: number
  /** Shown name of the event; null for a pageview. */
  readonly event: string | null
  readonly page: string
  readonly source: string
  readonly country: string
  readonly device: string
}
export interface Live {
  readonly report: 'live'
  readonly visitors: number
  readonly pages: Present[]
  readonly sources: Present[]
  readonly countries: Present[]
  /** By minute of the span: pageviews, and visitors with a pageview or event. */
  readonly minutes: { readonly visitors: number; readonly pageviews: number }[]
  /** Newest first. Hidden events are not among them. */
  readonly latest: LatestHit[]
}

const presenceRead = columnsRead(
  'visits.visitor',
  'visits.firstHit',
  'visits.duration',
  'visits.source',
  'visits.country',
  'visits.device',
  'hits.at',
  'hits.page',
  'hits.event',
)

export const liveReport: Report<LiveQuestion, Live> = async ({ where }, { span, activeFrom, limit, latest }, context) => {
  const conditions = await resolveAll(where, context)
  const { texts, workspace } = context
  const [pages, sources, countries] = [
    present(await texts.of('page'), limit),
    present(await texts.of('source'), limit),
    present(await texts.of('country'), limit),
  ]
  const reads = allReads([readsOfConditions(conditions), presenceRead])
  const latestHits = latest === 0 ? undefined : newest(latest, await namesOfHits(context))
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
        latestHits?.see(startsAt + hits.at[h]!, day, v, h)
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
      latest: latestHits?.read() ?? [],
    }),
  }
}

async function namesOfHits({ texts }: Pick<Context, 'texts'>) {
  return {
    events: await texts.events(),
    page: await texts.of('page'),
    source: await texts.of('source'),
    country: await texts.of('country'),
    device: await texts.of('device'),
  }
}

/** Keeps the newest hits, except of hidden events. @param max how many */
function newest(max: number, { events: { shown, groups }, ...names }: Awaited<ReturnType<typeof namesOfHits>>) {
  type Kept = Readonly<Record<'at' | 'event' | 'page' | 'source' | 'country' | 'device', number>>
  let kept: Kept[] = []
  let min = 0
  const cut = () => {
    kept = kept.toSorted((a, b) => b.at - a.at).slice(0, max)
    if (kept.length === max) min = kept.at(-1)!.at
  }
  return {
    see(at: number, { visits, hits }: Day, v: number, h: number): void {
      const event = hits.event[h]!
      if (at < min || (event !== 0 && groups[event] === 0)) return
      const { source, country, device } = visits
      kept.push({ at, event, page: hits.page[h]!, source: source[v]!, country: country[v]!, device: device[v]! })
      if (kept.length >= 8 * max) cut()
    },
    read(): LatestHit[] {
      cut()
      return kept.map(({ at, event, ...ids }) => ({
        at,
        event: event === 0 ? null : (shown[event] ?? ''),
        page: names.page[ids.page] ?? '',
        source: names.source[ids.source] ?? '',
        country: names.country[ids.country] ?? '',
        device: names.device[ids.device] ?? '',
      }))
    },
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
