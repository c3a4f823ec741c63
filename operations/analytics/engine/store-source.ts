/** The rows of a database as a source of days, remembered from query to query. */
import type { Db, Store } from '../../../storage/store.ts'
import type { Day } from './day.ts'
import { openDayCache } from './day-cache.ts'
import { openDictionaries } from './dictionary.ts'
import { readDays, type SiteDay, siteDays } from './read-days.ts'
import type { Source } from './source.ts'
import { textsOf } from './texts.ts'

export interface Sources {
  /** Hands over the source of a site, all of it as it is at one moment. */
  at<T>(site: number, run: (source: Source) => Promise<T>): Promise<T>
}

/** Visitors whose rows are read at a time, so that a few MB are on the way. */
const VISITORS_AT_ONCE = 2_000

/**
 * @param bytes most that decoded days and texts take
 * @param clock ms, from anywhere
 */
export function openSources(store: Pick<Store, 'read'>, bytes: number, clock: () => number): Sources {
  const cache = openDayCache(Math.floor(bytes * 0.75), clock)
  const dictionaries = openDictionaries(Math.floor(bytes * 0.25))

  async function fetch(db: Db, site: number, missing: readonly SiteDay[]): Promise<Day[]> {
    if (missing.length === 0) return []
    const began = clock()
    const days = await readDays(db, site, missing)
    const took = clock() - began
    const hits = days.reduce((sum, day) => sum + day.hits.count, 0)
    for (const [i, day] of days.entries()) {
      const siteDay = missing[i]
      if (siteDay) cache.set(site, siteDay, day, (took * day.hits.count) / Math.max(1, hits))
    }
    return days
  }

  const atOneMoment = <T>(read: (db: Db) => Promise<T>): Promise<T> =>
    store.read.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)

  return {
    at: (site, run) => atOneMoment(db => run({
      texts: textsOf(db, site, dictionaries),
      async *days(fromDay, toDay, wanted) {
        let missing: SiteDay[] = []
        let visitors = 0
        for (const siteDay of await siteDays(db, site, fromDay, toDay)) {
          const day = wanted(siteDay) ? cache.get(site, siteDay) : null
          if (day !== undefined || visitors + siteDay.visitors > VISITORS_AT_ONCE) {
            yield* await fetch(db, site, missing)
            missing = []
            visitors = 0
          }
          if (day) yield day
          else if (day === undefined) {
            missing.push(siteDay)
            visitors += siteDay.visitors
          }
        }
        yield* await fetch(db, site, missing)
      },
    })),
  }
}
