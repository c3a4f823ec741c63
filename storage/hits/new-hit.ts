/** A hit to store, already enriched, and its outcome. */
import type { VitalName } from '../values/web-vitals.ts'
import type { FirstHitDimension } from './dictionaries.ts'

/** `other_currency`: not the currency of the site. `invalid_revenue`: no amount, no currency, or an amount beyond the limit. */
export type RevenueFault = 'other_currency' | 'invalid_revenue'
/** `identify` says only to whom the visit belongs. */
export type HitKind = 'pageview' | 'event' | 'engagement' | 'vitals' | 'clicks' | 'identify'
/** Milliseconds; cls is a score. */
export type VitalValues = Readonly<Partial<Record<VitalName, number>>>
/** x in ten-thousandths of the page's width, y in pixels from its top. */
export type Clicks = ReadonlyArray<{ readonly selector: string; readonly x: number; readonly y: number }>

export type Trait = string | number | boolean

/** The person who sent a hit, as the site identifies them. */
export interface PersonOfHit {
  /** HMAC of the id that the site sends. */
  readonly hash: string
  /** The id itself; null unless the site keeps it. */
  readonly name: string | null
  /** Only declared traits. */
  readonly traits: Readonly<Record<string, Trait>>
}

/** A hit. Texts over 1 KB are shortened and numbers are limited to their range, so no hit is refused for its size. */
export interface NewHit {
  /** `sites.number` */
  readonly site: number
  /** The site's time zone, an IANA name. */
  readonly zone: string
  /** Epoch ms. */
  readonly at: number
  /** Never stored: hashed with the day's salt. */
  readonly identity: { readonly ip: string; readonly userAgent: string }
  readonly kind: HitKind
  /** Null or undefined: not identified. */
  readonly user?: PersonOfHit | null
  readonly page: string
  /** Name of a custom event; '' for other kinds. */
  readonly event: string
  /** Whether a visit with this event is not a bounce, even without a second pageview. */
  readonly interactive: boolean
  /** Minor units of the site's currency. */
  readonly revenue: number
  /** The reason why the hit is stored without its revenue. */
  readonly revenueFault?: RevenueFault | null
  /**
   * Engagement: ms of engaged time since the last one, and percent of the page seen, 0–100. An imported pageview begins
   * with the values of its file.
   */
  readonly engagedMs: number
  readonly scroll: number
  /** Keys are unique. */
  readonly props: ReadonlyArray<readonly [key: string, value: string, num: number | null]>
  /** Dimensions that a visit takes from its first hit. */
  readonly visit: Readonly<Record<FirstHitDimension, string>>
  readonly vitals: VitalValues
  readonly clicks: Clicks
}

/**
 * - `too_old`: the day is closed, and its salt deleted
 * - `in_future`: the sender's clock is more than five minutes ahead
 * - `no_visit`: an engagement or identification without a visit in the 30 minutes before
 * - `unknown_site`: the site is deleted
 * - `invalid`: the database or the calendar refused it
 */
export type Refusal = 'too_old' | 'in_future' | 'no_visit' | 'unknown_site' | 'invalid'

/** `id` is visitor · 256 + number, unique within the site's day; null for vitals and clicks without a visit. */
export type Outcome =
  | { readonly stored: true; readonly visit: { readonly day: number; readonly id: number } | null }
  | { readonly stored: false; readonly reason: Refusal }
