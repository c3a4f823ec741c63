/** The one form that every collection format is read into, and how much of each field is kept. */

import type { Clicks, HitKind, VitalValues } from '../../../storage/hits/new-hit.ts'

export type PropValue = string | number | boolean

/**
 * One hit as it was sent, before it is enriched. Texts are free of control characters and within `LIMITS`;
 * what the sender left out is '' or null. Hosts are lower case, in their ASCII form, without `www.`.
 */
export interface SentHit {
  /** How the sender names the site: by its domain, by the id of its Umami snippet, or by our own id. */
  readonly site: { readonly by: 'domain' | 'umami' | 'id'; readonly value: string }
  readonly kind: HitKind
  /** Of a custom event; '' for every other kind. */
  readonly name: string
  readonly url: string
  readonly hostname: string
  /** The path, and the fragment where the site routes by it. No query; only non-ASCII escapes are decoded. */
  readonly page: string
  /** For utm_*, source, ref and click ids. */
  readonly query: URLSearchParams
  readonly referrer: string
  /** Of pageviews and events. Keys are unique. */
  readonly props: ReadonlyArray<readonly [key: string, value: PropValue]>
  /** Amount in major units, finite; currency an ISO 4217 code, '' where it was left out. `invalid`: none can be read. */
  readonly revenue: { readonly currency: string; readonly amount: number } | 'invalid' | null
  /** Whether this hit alone keeps a visit from being a bounce. */
  readonly interactive: boolean
  /** "1920x1080" */
  readonly screen: string
  /** Viewport width in CSS pixels. */
  readonly width: number | null
  /** As the browser says it: "de-DE". */
  readonly language: string
  readonly title: string
  readonly tag: string
  /** Percent of the page, 0–100. */
  readonly scroll: number | null
  /** Milliseconds since the last engagement signal. */
  readonly engagedMs: number | null
  readonly vitals: VitalValues
  readonly clicks: Clicks
  /** Counts only from a server-side sender who authenticated by token. `at` is epoch milliseconds. */
  readonly claimed: { readonly ip: string | null; readonly userAgent: string | null; readonly at: number | null }
}

/** What a body comes to: its hits (one a site), or every fault of it by field. */
export type Parsed = { readonly hits: readonly SentHit[] } | { readonly errors: Readonly<Record<string, string[]>> }

/**
 * Over `name` and `url` a hit is refused; everything else is cut. `value` is the cap of any stored text, so that it
 * fits the dictionary's unique index on both engines. Name and url count characters, the rest UTF-8 bytes. `keys` are
 * looked at for properties, of which `props` are kept.
 */
export const LIMITS = Object.freeze({
  name: 120,
  url: 2_000,
  value: 1_024,
  key: 300,
  props: 30,
  keys: 300,
  sites: 20,
  clicks: 20,
  selector: 200,
  language: 35,
  batch: 1_000,
  sitesOfBatch: 100,
  userAgent: 500,
})
