/** The detail of one event: counts, times, pages, sources and properties. */
import { numberOf } from '../vocabulary/operators.ts'
import { countOver, everything } from '../scan/breakdown.ts'
import { type Distribution, distributionOf } from '../columns/distribution.ts'
import type { Dictionary } from '../days/dictionary.ts'
import { readsOfConditions } from '../scan/condition.ts'
import { allReads } from '../days/reads.ts'
import { readsOfAll, readsOver } from '../scan/day-counter.ts'
import { EventCount, eventRead, type Pivot } from '../scan/event-count.ts'
import { idOf } from '../scan/goals.ts'
import type { Span } from '../vocabulary/scope.ts'
import type { Sums } from '../vocabulary/sums.ts'
import type { Report } from './report.ts'
import { resolveAll, silent, withoutConversions } from '../scan/resolve.ts'
import { Tally } from '../days/tally.ts'
import { topGroups } from './top.ts'

export interface EventQuestion {
  readonly report: 'event'
  /** The shown or the sent name. */
  readonly name: string
  readonly span: Span
  readonly compared: Span | null
  /** The points of the series and of its comparison, each in order without overlaps. */
  readonly series: readonly [points: readonly Span[], comparison: readonly Span[]]
  /** Keys whose values are counted. */
  readonly properties: readonly string[]
  /** Most rows of pages, of sources and of each property. */
  readonly limit: number
}

export interface EventRow {
  readonly value: string
  readonly sums: Sums
  readonly compared: Sums | null
}
export interface EventKey {
  readonly key: string
  /** Hits with this property. */
  readonly hits: number
  /** Statistics of its numeric values, if most values are numeric. */
  readonly numbers: Distribution | null
  readonly comparedNumbers: Distribution | null
}
export interface EventDetail {
  readonly report: 'event'
  /** The sent names; empty if the site has no such event. */
  readonly names: string[]
  readonly hidden: boolean
  readonly sums: Sums
  readonly compared: Sums | null
  /** Visitors who could have converted, here and in `compared`: they pass all filters but the ones on goals and properties. */
  readonly base: number
  readonly comparedBase: number
  /** Epoch ms within the span; null if it did not occur. */
  readonly firstAt: number | null
  readonly lastAt: number | null
  readonly series: readonly [points: Sums[], comparison: Sums[]]
  readonly pages: EventRow[]
  readonly sources: EventRow[]
  /** A list for each requested property. */
  readonly properties: EventRow[][]
  /** Its properties, most frequent first. */
  readonly keys: EventKey[]
}

export const eventReport: Report<EventQuestion, EventDetail> = async ({ where }, asked, context) => {
  const { texts, note, workspace } = context
  const { name, span, compared, limit } = asked
  const sent = await texts.of('event')
  const { shown, groups } = await texts.events()
  const wanted = Uint8Array.from(sent, (one, id) => (one !== '' && (one === name || shown[id] === name) ? 1 : 0))
  const names = sent.filter((_, id) => wanted[id] === 1).sort()
  if (names.length === 0) {
    note({ code: 'no_such_value', of: 'event', value: name })
  }

  const conditions = await resolveAll(where, context)
  const { narrowings } = workspace
  const hits = narrowings.by(conditions)?.hits ?? []
  const convertible = await resolveAll(withoutConversions(where), silent(context))
  const keyTexts = await texts.of('prop_key')
  const pivots: Pivot[] = []
  for (const property of asked.properties) {
    const key = idOf(keyTexts, property)
    pivots.push({ key, values: key === 0 ? [''] : await texts.ofProperty(key) })
  }
  const dictionaries = { page: await texts.of('page'), source: await texts.of('source'), pivots }
  const reads = allReads([readsOfConditions(conditions), eventRead])
  const over = (part: Span, series: readonly Span[]) => ({
    count: new EventCount(part, series, wanted, dictionaries),
    base: countOver(part, convertible, [everything('all')], context),
    reads: readsOver(part, { whole: reads, part: reads }),
  })
  const current = over(span, asked.series[0])
  const previous = compared && over(compared, asked.series[1])
  const both = previous ? [current, previous] : [current]
  const valuesOf = new Map<number, Dictionary>()

  return {
    spans: compared ? [span, compared] : [span],
    reads: readsOfAll(both.flatMap(one => [one.reads, one.base.reads])),
    scans: true,
    async add(day) {
      for (const { count, base } of both) {
        count.add(day, workspace.masks.of(day, conditions), narrowings.met(day, hits))
        base.add(day)
        for (const key of count.keys.keys()) if (!valuesOf.has(key)) valuesOf.set(key, await texts.ofProperty(key))
      }
    },
    answer() {
      const rows = (of: (count: EventCount) => Tally, value: (group: number) => string): EventRow[] =>
        topGroups(of(current.count), value, { sort: 'pageviews', offset: 0, limit }).map(group => ({
          value: value(group),
          sums: of(current.count).of(group),
          compared: previous && of(previous.count).of(group),
        }))
      const numbers = (count: EventCount, key: number) => numbersOf(count.keys.get(key) ?? new Map(), valuesOf.get(key) ?? [])
      return {
        report: 'event',
        names,
        hidden: names.length > 0 && wanted.every((one, id) => one === 0 || groups[id] === 0),
        sums: current.count.all.of(0),
        compared: previous && previous.count.all.of(0),
        base: baseOf(current.base),
        comparedBase: previous ? baseOf(previous.base) : 0,
        firstAt: current.count.firstAt,
        lastAt: current.count.lastAt,
        series: [current.count.points(), previous ? previous.count.points() : []],
        pages: rows(
          count => count.page,
          group => dictionaries.page[group] ?? '',
        ),
        sources: rows(
          count => count.source,
          group => dictionaries.source[group] ?? '',
        ),
        properties: pivots.map(({ values }, i) =>
          rows(
            count => count.pivots[i] ?? new Tally(0),
            group => values[group] ?? '',
          ),
        ),
        keys: [...current.count.keys]
          .map(([key, values]): EventKey => {
            const found = numbers(current.count, key)
            const hits = sum(values.values())
            return {
              key: keyTexts[key] ?? '',
              hits,
              numbers: found && found.count * 2 > hits ? found : null,
              comparedNumbers: previous && numbers(previous.count, key),
            }
          })
          .sort((a, b) => b.hits - a.hits || (a.key < b.key ? -1 : 1)),
      }
    },
  }
}

const baseOf = ({ tallies: [tally] }: { readonly tallies: readonly Tally[] }): number => tally?.of(0).visitors ?? 0
const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, one) => total + one, 0)

/** Null if no value is a number. */
function numbersOf(counts: ReadonlyMap<number, number>, texts: Dictionary): Distribution | null {
  const numbers: [number, number][] = []
  for (const [id, times] of counts) {
    const number = numberOf(texts[id] ?? '')
    if (Number.isFinite(number)) numbers.push([number, times])
  }
  return numbers.length === 0 ? null : distributionOf(numbers)
}
