/** The protocol between script and service. */

/** A body of `POST /api/event`: Plausible's fields, then our own. `undefined` is left out. */
export type Hit = Readonly<{
  /** name: `pageview`, `engagement`, `vitals`, `click`, or the name of a custom event */
  n: string
  /** address of the page */
  u: string
  /** referrer of the page */
  r?: string | undefined
  p?: Props | undefined
  $?: Revenue | undefined
  /** false: the event does not end a bounce */
  i?: false | undefined
  /** width of the viewport in px */
  w?: number
  /** screen, `1920x1080` */
  sc?: string
  l?: string
  t?: string
  /** scroll depth, 0–100 */
  sd?: number
  /** engaged ms since the last engagement signal */
  e?: number
  vt?: Vitals | undefined
  c?: readonly Click[]
  /** id of the person, as the site knows them */
  user?: string | number | undefined
}>

export type Props = Readonly<Record<string, unknown>>
export type Revenue = Readonly<{ currency?: unknown; amount?: unknown }>

/** Milliseconds; `cls` is a score. */
export type Vitals = { [name in 'lcp' | 'inp' | 'fcp' | 'ttfb' | 'cls']?: number }

/** A selector, ten-thousandths of the page's width, px from its top. */
export type Click = Readonly<{ s: string; x: number; y: number }>

/** `{status}` of the answer, `{error}` of a request that failed, `undefined` for a hit that was not sent. */
export type Outcome = Readonly<{ status?: number; error?: unknown }> | undefined

export type EventOptions = Readonly<{
  props?: Props
  revenue?: Revenue
  interactive?: boolean
  url?: string
  callback?: (outcome: Outcome) => void
  /** for vitals.ts only */
  vitals?: Vitals
}>

/** `footfall('identify', id, traits)`, `footfall('reset')` and `footfall('consent', true)` are calls, too. */
export type Call = [name: string, options?: EventOptions, traits?: Props]

/** `window.footfall`. Until the script has loaded it is the page's stub, which queues calls in `q`. */
export type Tracking = {
  (...call: Call): void
  q?: { push: (call: Call) => void }
  loaded?: true
  /** For Plausible's newer snippet: `o` has the options that its stub was called with, `init` is that call. */
  o?: object
  init?: (options?: object) => void
}

declare global {
  interface Window {
    footfall?: Tracking
    plausible?: Tracking
  }
  interface WindowEventMap {
    visibilitychange: Event
  }
}
