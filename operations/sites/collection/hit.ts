/** The common form of hits of all formats, and the limits of their fields. */

import type { Clicks, HitKind, VitalValues } from '../../../storage/hits/new-hit.ts'

export type PropValue = string | number | boolean

export interface SiteName {
  readonly by: 'domain' | 'umami' | 'id'
  readonly value: string
}

/** ISO 4217: no currency. Products without currencies send amounts in the currency of their site. */
export const SITE_CURRENCY = 'XXX'

/**
 * One hit as sent, before enrichment. Texts have no control characters and are within `LIMITS`; missing fields are ''
 * or null. Hosts are lower case, in ASCII form, without `www.`.
 */
export interface SentHit {
  /** How the sender identifies the site: by its domain, by the id of its Umami snippet, or by our own id; `or` counts if no site has the first. */
  readonly site: SiteName & { readonly or?: SiteName | undefined }
  /** Why another product’s message is counted as dropped, whatever else it has. */
  readonly refused?: 'bot' | 'unsupported' | undefined
  readonly kind: HitKind
  /** Name of a custom event; '' for other kinds. */
  readonly name: string
  readonly url: string
  readonly hostname: string
  /** The path, and the fragment if the site uses it for routing. No query; escapes are decoded as in formats/address.ts. */
  readonly page: string
  /** For utm_*, source, ref and click ids. */
  readonly query: URLSearchParams
  readonly referrer: string
  /** Only pageviews and events have them; keys are unique. */
  readonly props: ReadonlyArray<readonly [key: string, value: PropValue]>
  /** Amount in major units, finite; currency an ISO 4217 code, `XXX` for the currency of the site, or '' if missing. */
  readonly revenue: { readonly currency: string; readonly amount: number } | 'invalid' | null
  /** Whether this hit by itself prevents a bounce. */
  readonly interactive: boolean
  /** "1920x1080" */
  readonly screen: string
  /** Viewport width in CSS pixels. */
  readonly width: number | null
  /** As the browser sends it, for example "de-DE". */
  readonly language: string
  readonly title: string
  readonly tag: string
  /** Percent of the page, 0–100. */
  readonly scroll: number | null
  /** Milliseconds since the last engagement signal. */
  readonly engagedMs: number | null
  readonly vitals: VitalValues
  readonly clicks: Clicks
  /** The person who sent it, as the site identifies them; or why that is ignored. */
  readonly user: { readonly id: string; readonly traits: Readonly<Record<string, unknown>> } | 'no_consent' | 'invalid_user' | null
  /** Only used for server-side senders authenticated by a token. `at` is epoch milliseconds. */
  readonly claimed: { readonly ip: string | null; readonly userAgent: string | null; readonly at: number | null }
}

/** The result of a body: its hits (one for each site), or all of its faults by field. */
export type Parsed = { readonly hits: readonly SentHit[] } | { readonly errors: Readonly<Record<string, string[]>> }

/**
 * Limits of hits. A hit with a longer `name` or `url` is refused; other fields are clipped. `value` limits any stored text, so that it
 * fits the dictionary's unique index on both engines. Name and url count characters, the rest UTF-8 bytes. At most
 * `keys` properties are read, of which `props` are stored.
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
