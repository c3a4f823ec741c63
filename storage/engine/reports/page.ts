/** The detail of one page: figures, previous and next pages, sources, events, and scroll depth. */
import { idOf } from '../scan/goals.ts'
import { allReads } from '../days/reads.ts'
import { type OnPlace, readsOfConditions } from '../scan/condition.ts'
import { readsOfAll, readsOver } from '../scan/day-counter.ts'
import { countPage, type PageCount, pageRead } from '../scan/page-count.ts'
import type { Span } from '../vocabulary/scope.ts'
import type { CountedSums, Sums } from '../vocabulary/sums.ts'
import type { Report } from './report.ts'
import { ownGoals, resolveAll } from '../scan/resolve.ts'
import { broughtOf, completionsOf } from '../scan/viewing-visits.ts'
import { best } from '../scan/best.ts'
import { windowOn } from '../days/spans.ts'
import type { Tally } from '../days/tally.ts'
import { topGroups } from './top.ts'

export interface PageQuestion {
  readonly report: 'page'
  readonly path: string
  readonly span: Span
  readonly compared: Span | null
  /** Most rows of each kind. */
  readonly limit: number
}
export interface PageRow {
  readonly value: string
  readonly sums: Sums
  readonly compared: Sums | null
}
export interface Neighbour {
  /** Path of the page; null for the sum of the remaining ones. */
  readonly value: string | null
  readonly times: number
}
export interface Neighbours {
  /** Top pages, and the sum of the rest. */
  readonly pages: readonly Neighbour[]
  /** Stays at the beginning, or end, of the visit. */
  readonly none: number
}
export interface PageCounted {
  /** `bounceBase` counts visits that entered on the page. */
  readonly sums: CountedSums
  /** Visits by the highest percent of the page they saw, 0 to 100; those without a value at 0. */
  readonly scroll: readonly number[]
}
export interface PageDetail {
  readonly report: 'page'
  readonly now: PageCounted
  readonly compared: PageCounted | null
  readonly previous: Neighbours
  readonly next: Neighbours
  readonly sources: readonly PageRow[]
  readonly events: readonly PageRow[]
}

export const pageReport: Report<PageQuestion, PageDetail> = async ({ where, goals }, { path, span, compared, limit }, context) => {
  const { texts, note, workspace } = context
  const conditions = await resolveAll(where, context)
  const { narrowings } = workspace
  const narrowing = narrowings.by(conditions)
  const hits = narrowing?.hits ?? []
  const completing = await completionsOf(ownGoals(where, goals), narrowing, texts)
  const [pages, sources] = [await texts.of('page'), await texts.of('source')]
  const { shown, groups } = await texts.events()
  const id = idOf(pages, path)
  if (id === 0) note({ code: 'no_such_value', of: 'page', value: path })
  const over = (part: Span) => ({
    span: part,
    count: countPage(id, part, { pages: pages.length, sources: sources.length, events: groups }),
  })
  const now = over(span)
  const then = compared && over(compared)
  const both = then ? [now, then] : [now]
  const reads = allReads([readsOfConditions(conditions), pageRead, completing.reads])

  return {
    spans: id === 0 ? [] : both.map(part => part.span),
    reads: readsOfAll(both.map(part => readsOver(part.span, { whole: reads, part: reads }))),
    scans: true,
    add(day) {
      const mask = workspace.masks.of(day, conditions)
      const met = narrowings.met(day, hits)
      const there = narrowings.met(day, narrowing?.views ?? noViews)
      const counted = met && { met, revenue: narrowings.revenue(day, hits) }
      const completed = completing.of(day, narrowings.met(day, completing.hits))
      for (const part of both) if (windowOn(part.span, day) !== undefined) part.count.add(day, mask, { counted, completed, there })
    },
    answer() {
      const rows = (of: (count: PageCount) => Tally, name: (group: number) => string): PageRow[] =>
        topGroups(of(now.count), name, { sort: 'visitors', offset: 0, limit }).map(group => ({
          value: name(group),
          sums: of(now.count).of(group),
          compared: then && of(then.count).of(group),
        }))
      return {
        report: 'page',
        now: counted(now.count),
        compared: then && counted(then.count),
        previous: neighbours(now.count.previous, pages, limit),
        next: neighbours(now.count.next, pages, limit),
        sources: rows(
          count => count.sources,
          group => sources[group] ?? '',
        ),
        events: rows(
          count => count.events,
          group => shown[group] ?? '',
        ),
      }
    },
  }
}

const noViews: readonly OnPlace[] = Object.freeze([])

const counted = ({ all, brought, exits, scroll }: PageCount): PageCounted => ({
  sums: { ...all.of(0), exits: exits(), ...broughtOf(brought, 0) },
  scroll: [...scroll],
})

/** @param times by the id of the page + 1 */
function neighbours(times: Uint32Array, pages: readonly string[], limit: number): Neighbours {
  const found: Array<{ value: string; times: number }> = []
  let rest = 0
  for (let place = 1; place < times.length; place++) {
    const count = times[place] ?? 0
    if (count > 0) found.push({ value: pages[place - 1] ?? '', times: count })
    rest += count
  }
  const top: Neighbour[] = best(found, (a, b) => b.times - a.times || (a.value < b.value ? -1 : 1), limit)
  for (const one of top) rest -= one.times
  return { pages: rest > 0 ? [...top, { value: null, times: rest }] : top, none: times[0] ?? 0 }
}
