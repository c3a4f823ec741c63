/** Stores two years of traffic, as fast as the database allows. */
import { openBulk } from '../../storage/hits/bulk-hits.ts'
import type { NewHit } from '../../storage/hits/new-hit.ts'
import { forgetVisitors } from '../../storage/hits/retention.ts'
import type { Store } from '../../storage/store.ts'
import { DAYS } from './calendar.ts'
import { type Traffic, traffic } from './traffic.ts'

/** Hits in a transaction: few enough to keep it short, many enough that commits cost little. */
const BATCH = 5_000

export interface Fill extends Traffic {
  now(): number
  randomBytes(n: number): Buffer
  /** @param share of the days, 0 to 1 @param hits pageviews and events stored so far */
  onProgress(share: number, hits: number): void
}

/** @returns pageviews and events stored, without those in the future */
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
