/** `footfall/tracker`: the tracker as a module. Without a window, on a server, every function does nothing. */

export type Props = Readonly<Record<string, string | number | boolean | null | undefined>>

/** Amount in major units, and an ISO 4217 code: `{ amount: 12.5, currency: 'EUR' }`. */
export interface Revenue {
  readonly amount: number | string
  readonly currency: string
}

/** `{status}` of the answer, `{error}` of a request that failed, `undefined` for a hit that was not sent. */
export type Outcome = { readonly status?: number; readonly error?: unknown } | undefined

export interface Options {
  /**
   * Where hits go: `https://footfall.example.com/api/event`, or the address of the site's own script without `.js`.
   * Default: `/api/event` on the host of the page.
   */
  readonly endpoint?: string
  /** The site; several by comma. Default: the host of the page. */
  readonly domain?: string
  /** Whether the fragment is part of the page's address. */
  readonly hash?: boolean
  /** No pageview by itself: call `pageview()`. */
  readonly manual?: boolean
  /** Whether Do-Not-Track and Global Privacy Control are respected. */
  readonly dnt?: boolean
  /** Returns whether a path is counted. Default: every path. */
  readonly include?: (path: string) => boolean
  /** Properties of every pageview and event. */
  readonly props?: (event: string) => Props | undefined
}

export interface EventOptions {
  readonly props?: Props
  readonly revenue?: Revenue
  /** False: the event does not end a bounce. */
  readonly interactive?: boolean
  /** Address of the page, if it is not the one that the browser shows. */
  readonly url?: string
  readonly callback?: (outcome: Outcome) => void
}

export interface LinkOptions {
  /** Extensions that are downloads, instead of the usual. Lower case, without dots. */
  readonly downloads?: readonly string[]
  /** Whether clicks on links to other sites are sent. Default: true. */
  readonly outbound?: boolean
}

/** Starts, once a page: sends the pageview, and a pageview with each navigation. Later calls do nothing. */
export declare const init: (options?: Options) => void
/** Sends a pageview: for `manual`, and for pages that are none to a browser. */
export declare const pageview: (options?: EventOptions) => void
/** Sends a custom event. Events before `init` wait for it. */
export declare const track: (name: string, options?: EventOptions) => void
/** Sends a custom event with revenue: `revenue('Purchase', { amount: 29, currency: 'EUR' })`. */
export declare const revenue: (name: string, revenue: Revenue, options?: EventOptions) => void
/** Says who the visitor is, if the site identifies people. All later hits of the page carry the id. */
export declare const identify: (id: string | number, traits?: Props) => void
/** Ends `identify`. */
export declare const reset: () => void
/** After `consent(false)`, the page sends no id. */
export declare const consent: (isGiven: boolean) => void
/** Sends clicks on outbound links and downloads, and events of elements with `data-footfall-event`. */
export declare const links: (options?: LinkOptions) => void
