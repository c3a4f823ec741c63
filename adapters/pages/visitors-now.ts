/**
 * Counts the visitors of a site who are there now, for its navigation, once every few seconds for all viewers who may open
 * the page that lists them.
 */
import { LRUCache } from 'lru-cache'
import type { App } from '../../runtime/app.ts'
import type { ViewedPage } from '../../runtime/ui/viewed-page.ts'
import { presence } from '../../runtime/ui/visitors-now.ts'

export interface VisitorsNow {
  /** Path of the page that lists them. */
  readonly path: string
  readonly count: number
}

const FRESH_MS = 5_000
interface Counted {
  readonly at: number
  readonly count: Promise<number | undefined>
}
const counted = new WeakMap<App, LRUCache<string, Counted>>()

/** @returns undefined outside of a site, and for viewers who may not see it */
export async function visitorsNow(app: App, page: ViewedPage): Promise<VisitorsNow | undefined> {
  const { siteId } = page
  const present = siteId === undefined ? undefined : await page.fill(presence, {})
  if (siteId === undefined || !present) return undefined
  const known = counted.get(app) ?? new LRUCache<string, Counted>({ max: 1_000 })
  counted.set(app, known)
  const last = known.get(siteId)
  const one = last && Math.abs(page.now - last.at) < FRESH_MS ? last : { at: page.now, count: present.count().catch(() => undefined) } // the page is there without it
  if (one !== last) known.set(siteId, one)
  const count = await one.count
  if (count === undefined && known.get(siteId) === one) known.delete(siteId) // refused to one viewer, for example by a rate limit
  return count === undefined ? undefined : { path: present.path, count }
}
