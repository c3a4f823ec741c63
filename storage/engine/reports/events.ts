/** The events of a site by shown name, most frequent first, with their first and last times. */
import { dimensionOf } from '../vocabulary/dimensions.ts'
import { predicate } from '../vocabulary/operators.ts'
import { countOver, groupingOf, everything, ownOf } from '../scan/breakdown.ts'
import { allReads } from '../days/reads.ts'
import { readsOfConditions } from '../scan/condition.ts'
import { countTogether, readsOfAll, readsOver } from '../scan/day-counter.ts'
import type { Span } from '../vocabulary/scope.ts'
import type { Sums } from '../vocabulary/sums.ts'
import type { Report } from './report.ts'
import { resolveAll, silent, withoutConversions } from '../scan/resolve.ts'
import { eventsRead, scanEvents } from '../scan/scan-events.ts'
import { windowOn } from '../days/spans.ts'
import { Tally } from '../days/tally.ts'
import { topGroups } from './top.ts'

export interface EventsQuestion {
  readonly report: 'events'
  readonly span: Span
  readonly compared: Span | null
  /** Only events whose name contains this, ignoring case; '' for all. */
  readonly search: string
  readonly offset: number
  readonly limit: number
}
export interface EventFound {
  readonly value: string
  /** The sent names. */
  readonly names: string[]
  readonly sums: Sums
  readonly compared: Sums | null
  /** Epoch ms; within the span. */
  readonly firstAt: number
  readonly lastAt: number
}
export interface Events {
  readonly report: 'events'
  readonly rows: EventFound[]
  /** Events on all pages of the list. */
  readonly total: number
  /** Visitors that the share is based on. */
  readonly base: number
  readonly comparedBase: number
}

export const eventsReport: Report<EventsQuestion, Events> = async ({ where }, asked, context) => {
  const dimension = dimensionOf('event')
  if (!dimension) throw new Error('there is no dimension of events')
  const { texts, note, workspace } = context
  const { span, compared } = asked
  const { shown, groups, hidden } = await texts.events()
  const sent = await texts.of('event')
  if (hidden.length > 0) note({ code: 'hidden_events', events: hidden })

  const conditions = await resolveAll(where, context)
  const { narrowings } = workspace
  const narrowing = narrowings.by(conditions)
  const hits = narrowing?.hits ?? []
  const matches = asked.search === '' ? () => true : predicate('contains', [asked.search])
  const own = ownOf(narrowing, ({ on }) => on === 'event').kept
  const found = Uint8Array.from(sent, (name, id) => ((own?.[id] ?? 1) === 1 && (matches(name) || matches(shown[id] ?? '')) ? 1 : 0))
  const grouping = await groupingOf(dimension, { narrowing, found, goals: [], basis: 'all', texts, known: context.known })
  const convertible = await resolveAll(withoutConversions(where), silent(context))
  const over = (part: Span) => ({
    rows: countOver(part, conditions, [grouping], context),
    base: countOver(part, convertible, [everything('all')], context),
  })
  const now = over(span)
  const then = compared && over(compared)
  const counting = countTogether([now.rows, now.base, ...(then ? [then.rows, then.base] : [])])
  const reads = allReads([readsOfConditions(conditions), eventsRead])
  const first = new Float64Array(grouping.count).fill(Infinity)
  const last = new Float64Array(grouping.count).fill(-Infinity)
  const visible = groups.map((group, id) => (found[id] === 1 ? group : 0))
  const tallyOf = ({ tallies: [tally] }: { readonly tallies: readonly Tally[] }) => tally ?? new Tally(0)

  return {
    spans: compared ? [span, compared] : [span],
    reads: readsOfAll([counting.reads, readsOver(span, { whole: reads, part: reads })]),
    scans: true,
    add(day) {
      counting.add(day)
      const window = windowOn(span, day)
      if (window === undefined) return
      const mask = workspace.masks.of(day, conditions)
      scanEvents(day, { mask, met: narrowings.met(day, hits), window, groups: visible }, (group, _, hit) => {
        const at = day.startsAt + (day.hits.at[hit] ?? 0)
        first[group] = Math.min(first[group] ?? at, at)
        last[group] = Math.max(last[group] ?? at, at)
      })
    },
    answer() {
      const tally = tallyOf(now.rows)
      return {
        report: 'events',
        rows: topGroups(tally, grouping.name, { ...asked, sort: 'pageviews' }).map(group => ({
          value: grouping.name(group),
          names: sent.filter((_, id) => visible[id] === group).sort(),
          sums: tally.of(group),
          compared: then && tallyOf(then.rows).of(group),
          firstAt: first[group] ?? 0,
          lastAt: last[group] ?? 0,
        })),
        total: Array.from(tally.column('visits')).filter(visits => visits > 0).length,
        base: tallyOf(now.base).of(0).visitors,
        comparedBase: then ? tallyOf(then.base).of(0).visitors : 0,
      }
    },
  }
}
