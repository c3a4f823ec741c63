/** The rows and segments of a database as a source of days, remembered from query to query. */
import type { Sealed } from './segments.ts'
import type { Db, Store } from '../../store.ts'
import { atOneMoment, beCertain } from '../../version.ts'
import type { Day } from './day.ts'
import { openDayCache } from './day-cache.ts'
import { openDictionaries } from './dictionary.ts'
import { openKeptDays } from './load-days.ts'
import { readDays, type SiteDay, siteDays } from './read-days.ts'
import { openMeasureCache, readClicks, readVitals } from './read-measures.ts'
import { holds, sealDay } from './sealed-day.ts'
import type { Source, Wish } from './source.ts'
import { holdSums, openStretch, type Stretch, stretchesOf, type Width, WIDTHS, within } from './day-ranges.ts'
import { textsOf } from './texts.ts'

export interface Sources {
  /** Hands over the source of a site, all of it as it is at one moment. */
  at<T>(site: number, run: (source: Source) => Promise<T>): Promise<T>
  /** A day as it would be sealed; null where there is none. */
  seal(site: number, day: number): Promise<SealedAt | null>
}

/** What a day is sealed as, and the `rev` at which it was read. */
export interface SealedAt {
  readonly rev: number
  /** Null where nothing is left of the day. */
  readonly sealed: Sealed | null
}

/**
 * @param bytes most that decoded days and texts take
 * @param clock ms, from anywhere
 */
export function openSources(store: Pick<Store, 'read'>, bytes: number, clock: () => number): Sources {
  const cache = openDayCache(Math.floor(bytes * 0.75), clock)
  const measures = openMeasureCache(Math.floor(bytes * 0.05))
  const keptDays = openKeptDays(cache, clock)
  const dictionaries = openDictionaries(Math.floor(bytes * 0.2))

  /** All that is wanted, where nothing of it has to be read; null otherwise. */
  function inMemory(site: number, stretches: readonly Stretch[]): Day[] | null {
    const found: Day[] = []
    for (const stretch of stretches) {
      const { width, days: [first], wanted } = stretch
      if (!first || !wanted) continue
      const kept = width === 1 ? cache.get(site, first) : cache.stretch(site, stretch)
      if (!kept || (kept.sealed && !holds(kept.sealed, wanted))) return null
      found.push(kept.day)
    }
    return found
  }

  /** Stretches where the wish allows it, and days as they are. */
  async function* daysIn(db: Db, site: number, stretches: readonly Stretch[], of: Wish['of']): AsyncGenerator<Day[]> {
    let alone: SiteDay[] = []
    for (const stretch of stretches) {
      if (stretch.width === 1) {
        alone.push(...stretch.days)
        continue
      }
      yield* keptDays(db, site, alone, of)
      alone = []
      yield [await stretchIn(db, site, stretch, stretch.width)]
    }
    yield* keptDays(db, site, alone, of)
  }

  async function stretchIn(db: Db, site: number, stretch: Stretch, width: Width): Promise<Day> {
    const known = cache.stretch(site, stretch)?.sealed
    const lacking = [...stretch.wanted?.sums ?? []].filter(number => !known?.has('sums', number))
    if (known && lacking.length === 0) return known.day
    const wanted = { columns: new Set<number>(), sums: new Set(lacking) }
    const parts: Day[] = []
    const of = () => wanted
    const narrower = stretchesOf(within(width, stretch.days), { of, together: () => true })
    for await (const days of daysIn(db, site, narrower, of)) parts.push(...days)
    const sums = known ?? openStretch(stretch.days, parts)
    holdSums(sums, lacking, parts)
    cache.setStretch(site, stretch, sums)
    return sums.day
  }

  return {
    at: (site, run) => atOneMoment(store.read, db => run({
      texts: textsOf(db, site, dictionaries),
      measures: measures.in(db, site),
      async days(from, to, wish) {
        const list = await siteDays(db, site, from, to)
        await beCertain(db)
        const stretches = stretchesOf({ from, to, list, widths: WIDTHS }, wish)
        const known = inMemory(site, stretches)
        return known ? [known] : daysIn(db, site, stretches, wish.of)
      },
    })),
    seal: (site, day) => atOneMoment(store.read, async db => {
      const [siteDay] = await siteDays(db, site, day, day)
      const [built] = siteDay ? await readDays(db, site, [siteDay]) : []
      if (!siteDay || !built) return null
      if (built.visits.count === 0) return { rev: siteDay.rev, sealed: null }
      const [vitals, clicks] = [await readVitals(db, site, day, null), await readClicks(db, site, day, null)]
      return { rev: siteDay.rev, sealed: sealDay({ ...built, vitals, clicks }) }
    }),
  }
}
