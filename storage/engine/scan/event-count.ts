/** Counts everything about an event within one span. */
import type { Day } from '../days/day.ts'
import type { Dictionary } from '../days/dictionary.ts'
import { allReads, columnsRead, type Reads } from '../days/reads.ts'
import type { Mask } from './mask.ts'
import type { Span } from '../vocabulary/scope.ts'
import type { Sums } from '../vocabulary/sums.ts'
import { reusedBuffer } from '../columns/buffers.ts'
import { eventsRead, propsRead, scanEvents, scanProps } from './scan-events.ts'
import { windowOn } from '../days/spans.ts'
import { hitsCounted, Tally } from '../days/tally.ts'

/** A property whose values are counted. */
export interface Pivot {
  readonly key: number
  readonly values: Dictionary
}

/** Columns that `EventCount` reads of a day. */
export const eventRead: Reads = allReads([hitsCounted, eventsRead, propsRead, columnsRead('visits.source', 'hits.page')])

export class EventCount {
  readonly all = new Tally(1)
  readonly page: Tally
  readonly source: Tally
  readonly pivots: readonly Tally[]
  /** Count of each value, by key. */
  readonly keys = new Map<number, Map<number, number>>()
  firstAt: number | null = null
  lastAt: number | null = null
  private readonly series: Tally
  private readonly hits = reusedBuffer(Uint8Array)

  constructor(
    private readonly span: Span,
    private readonly spans: readonly Span[],
    private readonly wanted: Uint8Array,
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

  /** @param met 1 for the hits that count; null for all */
  add(day: Day, mask: Mask, met: Uint8Array | null): void {
    const window = windowOn(this.span, day)
    if (window === undefined) return
    const { all, page, source, pivots, series, keys } = this
    for (const tally of [all, page, source, series, ...pivots]) tally.begin(day)
    const pointAt = this.pointsOn(day)
    const picked = this.hits(day.hits.count).fill(0)
    scanEvents(day, { mask, met, window, groups: this.wanted }, (_, v, h) => {
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
      if (!values) keys.set(key, (values = new Map()))
      values.set(value, (values.get(value) ?? 0) + 1)
      for (const [i, pivot] of this.dictionaries.pivots.entries()) if (pivot.key === key) pivots[i]?.hit(value, v, h)
    })
  }

  /** Returns a function from a time of the day to its point in the series. */
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
