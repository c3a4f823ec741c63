/** The days of a site or a group that a request reads: from memory, or from ranges of days whose sums are added up. */
import type { Day, DayBounds } from './day.ts'
import { areSameBounds, type DayCache } from './day-cache.ts'
import { addSums, type DayRange, dayRanges, openRange, type Width, WIDTHS, within } from './day-ranges.ts'
import type { Reads } from './reads.ts'
import { hasAll } from './sealed-day.ts'
import type { SiteDay } from './site-days.ts'
import type { DayRequest } from './source.ts'

interface Loading<D extends SiteDay> {
  /** Key of the site or the group in the cache. */
  readonly key: number
  /** Yields the days of which something is read, a few at a time. */
  load(days: readonly D[], of: DayRequest['of']): AsyncIterable<Day[]>
}

interface DaysOf<D> {
  readonly from: number
  readonly to: number
  /** All days within these numbers, in order. */
  readonly list: readonly D[]
  readonly request: DayRequest
}

export function daysOf<D extends SiteDay>(
  cache: DayCache,
  loading: Loading<D>,
  { from, to, list, request }: DaysOf<D>,
): Iterable<readonly Day[]> | AsyncIterable<readonly Day[]> {
  const ranges = dayRanges({ from, to, list, widths: WIDTHS }, request)
  cache.begin()
  const known = inMemory(cache, { key: loading.key, ranges, request })
  return known ? [known] : daysIn(cache, loading, { ranges, of: request.of })
}

/** Returns the days if everything to read is in memory; otherwise null. Says of all of them that they are used, so that none is dropped for another. */
function inMemory(
  cache: DayCache,
  { key, ranges, request }: { key: number; ranges: readonly DayRange[]; request: DayRequest },
): Day[] | null {
  const found: Day[] = []
  let isAll = true
  for (const range of ranges) {
    const {
      width,
      days: [first],
    } = range
    if (!first || !range.reads) continue
    const known = width === 1 ? cache.get(key, first, range.reads) : cache.range(key, range)
    isAll &&= known !== undefined
    if (!known) continue
    const isAsListed = width > 1 || areSameBounds(known.day, first)
    const reads = isAsListed ? range.reads : request.of(known.day)
    if (known.sealed && reads && !hasAll(known.sealed, reads)) isAll = false
    found.push(known.day)
  }
  return isAll ? found : null
}

/** Yields days; each range as a single day. */
async function* daysIn<D extends SiteDay>(
  cache: DayCache,
  loading: Loading<D>,
  { ranges, of }: { ranges: readonly DayRange<D>[]; of: (day: DayBounds) => Reads | null },
): AsyncGenerator<Day[]> {
  let single: D[] = []
  for (const range of ranges) {
    if (range.width === 1) {
      single.push(...range.days)
      continue
    }
    yield* loading.load(single, of)
    single = []
    yield [await rangeIn(cache, loading, { range, width: range.width })]
  }
  yield* loading.load(single, of)
}

async function rangeIn<D extends SiteDay>(
  cache: DayCache,
  loading: Loading<D>,
  { range, width }: { range: DayRange<D>; width: Width },
): Promise<Day> {
  const { key } = loading
  const known = cache.range(key, range)?.sealed
  const lacking = [...(range.reads?.sums ?? [])].filter(number => !known?.has('sums', number))
  if (known && lacking.length === 0) return known.day
  const reads = { columns: new Set<number>(), sums: new Set(lacking) }
  const parts: Day[] = []
  const of = () => reads
  const narrower = dayRanges(within(width, range.days), { of, together: () => true })
  for await (const days of daysIn(cache, loading, { ranges: narrower, of })) parts.push(...days)
  const sums = known ?? openRange(range.days, parts)
  addSums(sums, lacking, parts)
  cache.setRange(key, range, sums)
  return sums.day
}
