/** One hit on its way in, enriched and ready to be kept, and what became of it. */
import type { VitalName } from '../engine/vocabulary/vitals.ts'
import type { FirstHitDimension } from './dictionaries.ts'

/** `other_currency`: not the site's; `invalid_revenue`: no amount, no currency, or more than is taken. */
export type RevenueFault = 'other_currency' | 'invalid_revenue'
export type HitKind = 'pageview' | 'event' | 'engagement' | 'vitals' | 'clicks'
/** Milliseconds; cls is a score. */
export type VitalValues = Readonly<Partial<Record<VitalName, number>>>
/** x in ten-thousandths of the page's width, y in pixels from its top. */
export type Clicks = ReadonlyArray<{ readonly selector: string; readonly x: number; readonly y: number }>

/** Texts longer than 1 KB are cut, numbers brought into range: a hit is not refused for its size. */
export interface NewHit {
  /** `sites.number` */
  readonly site: number
  /** The site's time zone, an IANA name. */
  readonly zone: string
  /** Epoch ms. */
  readonly at: number
  /** Never stored: hashed under the salt of the day. */
  readonly identity: { readonly ip: string; readonly userAgent: string }
  readonly kind: HitKind
  readonly page: string
  /** Name of a custom event; '' for every other kind. */
  readonly event: string
  /** Whether this event alone keeps a visit from being a bounce. */
  readonly interactive: boolean
  /** Minor units of the site's currency. */
  readonly revenue: number
  /** It came with revenue that cannot be counted: it is kept without. */
  readonly revenueFault?: RevenueFault | null
  /** Of an engagement: ms of attention since the last one, and percent of the page seen, 0–100. */
  readonly engagedMs: number
  readonly scroll: number
  /** Keys are unique. */
  readonly props: ReadonlyArray<readonly [key: string, value: string, num: number | null]>
  /** What a visit gets from its first hit. */
  readonly visit: Readonly<Record<FirstHitDimension, string>>
  readonly vitals: VitalValues
  readonly clicks: Clicks
}

/**
 * - `too_old`: the day closed so long ago that its salt is gone
 * - `in_future`: the sender's clock is more than five minutes ahead
 * - `no_visit`: an engagement that follows no visit within its 30 minutes
 * - `unknown_site`: the site is deleted
 * - `invalid`: the database or the calendar would not take it
 */
export type Refusal = 'too_old' | 'in_future' | 'no_visit' | 'unknown_site' | 'invalid'

/** `id` is visitor · 256 + number, unique within the site's day; null for vitals and clicks that no visit has. */
export type Outcome =
  | { readonly stored: true; readonly visit: { readonly day: number; readonly id: number } | null }
  | { readonly stored: false; readonly reason: Refusal }
