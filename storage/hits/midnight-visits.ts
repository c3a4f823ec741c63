/** Continues a visit that midnight divides: its second half takes the source of its first half (docs/analytics.md §1). */
import { type FirstHitDimension, firstHitDimensions } from './dictionaries.ts'
import { type FirstHit, VISIT_GAP_MS } from './sessions.ts'
import { firstIdOf } from './visit-rows.ts'
import type { Visitor } from './visitor.ts'

/** The dimensions that describe the source of a visit. */
const ways: ReadonlySet<FirstHitDimension> = new Set([
  'channel',
  'custom_channel',
  'source',
  'referrer',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_content',
  'utm_term',
])

/** @param before the same visitor on the day before, with the visits of that day */
export function continueVisits(visitor: Visitor, before: Visitor): void {
  for (const visit of visitor.visits) {
    if (!visit.restated || typeof visit.first === 'string') continue
    const firstHalf = before.visits.find(({ lastAt }) => lastAt < visit.startedAt && visit.startedAt - lastAt < VISIT_GAP_MS)
    if (firstHalf) visit.first = cameAs(visit.first, firstHalf.first)
  }
}

function cameAs(own: Exclude<FirstHit, string>, before: FirstHit): FirstHit {
  const valueOf = (dimension: FirstHitDimension) =>
    !ways.has(dimension) ? own[dimension] : typeof before === 'string' ? firstIdOf(before, dimension) : before[dimension]
  return Object.fromEntries(firstHitDimensions.map(dimension => [dimension, valueOf(dimension)])) as Exclude<FirstHit, string> // one each
}
