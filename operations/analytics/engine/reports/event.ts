/** One event: how often it came and when, on which pages, from which sources, and what its properties were. */
import { numberOf } from '../../filters/operators.ts'
import { countOver, together } from '../breakdown.ts'
import type { Day } from '../day.ts'
import { type Distribution, distributionOf } from '../distribution.ts'
import type { Dictionary } from '../dictionary.ts'
import { idOf } from '../goals.ts'
import { maskOf, type Resolved } from '../mask.ts'
import type { Span, Sums } from '../query.ts'
import type { Report } from '../report.ts'
import { resolveAll, withoutConversions } from '../resolve.ts'
import { scanEvents, scanProps } from '../scan-events.ts'
import { windowOn } from '../spans.ts'
import { Tally } from '../tally.ts'
import { topGroups } from '../top.ts'

export interface EventAsked {
  readonly report: 'event'
  /** As it is shown, or as it is sent. */
  readonly name: string
  readonly span: Span
  readonly compared: Span | null
  /** The points of the series and of the one beside it, each in order and apart. */
  readonly series: readonly [points: readonly Span[], beside: readonly Span[]]
  /** Keys whose values are counted. */
  readonly properties: readonly string[]
  /** Rows of pages, of sources and of each property. */
  readonly limit: number
}

export interface EventRow {
  readonly value: string
  readonly sums: Sums
  readonly compared: Sums | null
}
export interface EventKey {
  readonly key: string
  /** How many of the hits carried it. */
  readonly hits: number
  /** Of its values that are numbers, where most of them are. */
  readonly numbers: Distribution | null
  readonly comparedNumbers: Distribution | null
}
export interface EventDetail {
  readonly report: 'event'
  /** The names that are sent for it; empty where the site has no such event. */
  readonly names: string[]
  readonly hidden: boolean
  readonly sums: Sums
  readonly compared: Sums | null
  readonly base: number
  readonly comparedBase: number
  /** Epoch ms within the span; null where it did not come. */
  readonly firstAt: number | null
  readonly lastAt: number | null
  readonly series: readonly [points: Sums[], beside: Sums[]]
  readonly pages: EventRow[]
  readonly sources: EventRow[]
  /** One list a property that was asked for. */
  readonly properties: EventRow[][]
  /** Properties it came with, most frequent first. */
  readonly keys: EventKey[]
}

export const event: Report<EventAsked, EventDetail> = async ({ where }, asked, context) => {
  const { texts, note } = context
  const { name, span, compared, limit } = asked
  const sent = await texts.of('event')
  const { shown, groups } = await texts.events()
  const wanted = Uint8Array.from(sent, (one, id) => (one !== '' && (one === name || shown[id] === name) ? 1 : 0))
  const names = sent.filter((_, id) => wanted[id] === 1).sort()
  if (names.length === 0) {
    note({ code: 'no_such_value', message: `name: no event of this site is called ${JSON.stringify(name)}.` })
  }

  const conditions = await resolveAll(where, context)
  const convertible = await resolveAll(withoutConversions(where), { ...context, note: () => {} })
  const keyTexts = await texts.of('prop_key')
  const pivots: Pivot[] = []
  for (const property of asked.properties) {
    const key = idOf(keyTexts, property)
    pivots.push({ key, values: key === 0 ? [''] : await texts.ofProperty(key) })
  }
  const dictionaries = { page: await texts.of('page'), source: await texts.of('source'), pivots }
  const over = (part: Span, series: readonly Span[]) => ({
    count: new EventCount(part, series, wanted, dictionaries),
    base: countOver(part, convertible, [together('all')]),
  })
  const now = over(span, asked.series[0])
  const then = compared && over(compared, asked.series[1])
  const both = then ? [now, then] : [now]
  const valuesOf = new Map<number, Dictionary>()

  return {
    spans: compared ? [span, compared] : [span],
    async add(day) {
      for (const { count, base } of both) {
        count.add(day, conditions)
        base.add(day)
        for (const key of count.keys.keys()) if (!valuesOf.has(key)) valuesOf.set(key, await texts.ofProperty(key))
      }
    },
    answer() {
      const rows = (of: (count: EventCount) => Tally, value: (group: number) => string): EventRow[] =>
        topGroups(of(now.count), value, { sort: 'pageviews', offset: 0, limit }).map(group => ({
          value: value(group), sums: of(now.count).of(group), compared: then && of(then.count).of(group),
        }))
      const numbers = (count: EventCount, key: number) =>
        numbersOf(count.keys.get(key) ?? new Map(), valuesOf.get(key) ?? [])
      return {
        report: 'event',
        names,
        hidden: names.length > 0 && wanted.every((one, id) => one === 0 || groups[id] === 0),
        sums: now.count.all.of(0),
        compared: then && then.count.all.of(0),
        base: baseOf(now.base),
        comparedBase: then ? baseOf(then.base) : 0,
        firstAt: now.count.firstAt,
        lastAt: now.count.lastAt,
        series: [now.count.points(), then ? then.count.points() : []],
        pages: rows(count => count.page, group => dictionaries.page[group] ?? ''),
        sources: rows(count => count.source, group => dictionaries.source[group] ?? ''),
        properties: pivots.map(({ values }, i) =>
          rows(count => count.pivots[i] ?? new Tally(0), group => values[group] ?? '')),
        keys: [...now.count.keys].map(([key, values]): EventKey => {
          const found = numbers(now.count, key)
          const hits = sum(values.values())
          return {
            key: keyTexts[key] ?? '',
            hits,
            numbers: found && found.count * 2 > hits ? found : null,
            comparedNumbers: then && numbers(then.count, key),
          }
        }).sort((a, b) => b.hits - a.hits || (a.key < b.key ? -1 : 1)),
      }
    },
  }
}

interface Pivot {
  readonly key: number
  readonly values: Dictionary
}

/** Everything about the event within one span. */
class EventCount {
  readonly all = new Tally(1)
  readonly page: Tally
  readonly source: Tally
  readonly pivots: readonly Tally[]
  /** By key: how often each value came. */
  readonly keys = new Map<number, Map<number, number>>()
  firstAt: number | null = null
  lastAt: number | null = null
  private readonly series: Tally

  constructor(
    private readonly span: Span, private readonly spans: readonly Span[], private readonly wanted: Uint8Array,
    private readonly dictionaries: { page: Dictionary; source: Dictionary; pivots: readonly Pivot[] },
  ) {
    this.page = new Tally(dictionaries.page.length)
    this.source = new Tally(dictionaries.source.length)
    this.pivots = dictionaries.pivots.map(({ values }) => new Tally(values.length))
    this.series = new Tally(spans.length)
  }

  points(): Sums[] {
    return this.spans.map((_, point) => this.series.of(point))
  }

  add(day: Day, conditions: readonly Resolved[]): void {
    const window = windowOn(this.span, day)
    if (window === undefined) return
    const { all, page, source, pivots, series, keys } = this
    for (const tally of [all, page, source, series, ...pivots]) tally.begin(day)
    const pointAt = this.pointsOn(day)
    const picked = new Uint8Array(day.hits.count)
    scanEvents(day, maskOf(day, conditions), window, this.wanted, (_, v, h) => {
      picked[h] = 1
      const time = day.hits.at[h] ?? 0
      all.hit(0, v, h)
      page.hit(day.hits.page[h] ?? 0, v, h)
      source.hit(day.visits.source[v] ?? 0, v, h)
      const point = pointAt(time)
      if (point !== undefined) series.hit(point, v, h)
      const at = day.startsAt + time
      this.firstAt = Math.min(this.firstAt ?? at, at)
      this.lastAt = Math.max(this.lastAt ?? at, at)
    })
    scanProps(day, picked, (key, value, v, h) => {
      let values = keys.get(key)
      if (!values) keys.set(key, values = new Map())
      values.set(value, (values.get(value) ?? 0) + 1)
      for (const [i, pivot] of this.dictionaries.pivots.entries()) if (pivot.key === key) pivots[i]?.hit(value, v, h)
    })
  }

  /** Finds the point of a moment of the day. */
  private pointsOn(day: Day): (time: number) => number | undefined {
    const points = this.spans.flatMap((span, point) => {
      const window = windowOn(span, day)
      return window === undefined ? [] : [{ point, from: window?.from ?? -Infinity, to: window?.to ?? Infinity }]
    })
    return time => {
      let low = 0
      let high = points.length - 1
      while (low < high) {
        const middle = (low + high) >> 1
        if ((points[middle]?.to ?? 0) <= time) low = middle + 1
        else high = middle
      }
      const found = points[low]
      return found && found.from <= time && time < found.to ? found.point : undefined
    }
  }
}

const baseOf = ({ tallies: [tally] }: { readonly tallies: readonly Tally[] }): number => tally?.of(0).visitors ?? 0
const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, one) => total + one, 0)

/** Beyond, sums would no longer be exact. */
const MOST = 1e15

/** Null where no value is a number. */
function numbersOf(counts: ReadonlyMap<number, number>, texts: Dictionary): Distribution | null {
  const numbers: [number, number][] = []
  for (const [id, times] of counts) {
    const number = numberOf(texts[id] ?? '')
    if (Math.abs(number) <= MOST) numbers.push([number, times])
  }
  return numbers.length === 0 ? null : distributionOf(numbers)
}
