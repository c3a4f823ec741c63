/** Two years of traffic into a site, as fast as the database takes it. */
import { openBulk } from '../../storage/hits/bulk.ts'
import type { NewHit } from '../../storage/hits/new-hit.ts'
import { forgetVisitors } from '../../storage/hits/retention.ts'
import type { Store } from '../../storage/store.ts'
import { DAYS } from './calendar.ts'
import { type Traffic, traffic } from './traffic.ts'

/** Few enough that a transaction stays short, many enough that its end does not count. */
const BATCH = 5_000

export interface Fill extends Traffic {
  now(): number
  randomBytes(n: number): Buffer
  /** @param share of the days, 0 to 1 @param hits pageviews and events stored so far */
  onProgress(share: number, hits: number): void
}

/** @returns pageviews and events that are stored: what lies ahead of the clock is left out */
export async function fill(store: Store, options: Fill): Promise<number> {
  const put = openBulk(store, options)
  const until = options.now()
  let [days, stored] = [0, 0]
  let waiting: NewHit[] = []
  const flush = async () => {
    await put(waiting, async () => {})
    stored += waiting.filter(({ kind }) => kind === 'pageview' || kind === 'event').length
    waiting = []
    options.onProgress(days / DAYS, stored)
  }
  for (const ofDay of traffic(options)) {
    for (const hit of ofDay.toSorted((a, b) => a.at - b.at)) {
      if (hit.at > until) break
      waiting.push(hit)
      if (waiting.length === BATCH) await flush()
    }
    days++
  }
  await flush()
  await forgetVisitors(store, until)
  return stored
}
