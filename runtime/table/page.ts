/**
 * A page is what a browser is shown at a path: HTML made on the server, put into the one document that all pages share.
 * It may stand at the path of an operation, which then answers everybody else. What it changes, it changes by forms,
 * which call operations: a page does nothing by itself.
 */
import type { HtmlEscapedString } from 'hono/utils/html'
import type { Caller } from './caller.ts'
import type { ErrorBody } from './errors.ts'
import type { Hosted } from './hosted.ts'
import type { CallingServices } from './services.ts'
import type { Language, Say } from '../texts/index.ts'

/** The result of JSX; nothing else can make one, so every text is escaped on the way. */
export type Content = HtmlEscapedString

export interface PageRequest {
  readonly url: URL
  /** Parts of the path that the route names. */
  readonly path: Readonly<Record<string, string>>
  /** Parameters of the query. */
  readonly query: URLSearchParams
  header(name: string): string | undefined
  readonly ip: string
  /** Who is signed in; always there where the access is `session`. */
  readonly caller: Caller | undefined
  readonly now: number
  /** In the language of the account, or of the browser of who is not signed in. */
  readonly say: Say
  /**
   * What a read operation answers who looks at the page, as part of this request: the same is asked once.
   * @throws Failure where it is refused
   */
  read(operation: string, input?: Readonly<Record<string, unknown>>): Promise<unknown>
  /** A form of this page was refused: why, and what was typed. */
  readonly refused?: Refused
}

/** The error is told in the language of the page. */
export interface Refused extends Pick<ErrorBody, 'error'> {
  readonly say: Say
  /** Operation that refused it. */
  readonly operation: string
  /** Secrets among them are not repeated. */
  readonly values: URLSearchParams
  /** Nothing is wrong: it waits to be sent once more, now that somebody has signed in. */
  readonly isKept?: true
}

export interface PageContent {
  readonly title: string
  readonly content: Content
  /** HTTP status; default 200. */
  readonly status?: number
  /** `narrow`: one small form in the middle, as signing in is. */
  readonly width?: 'narrow'
  /** Origins beside our own that a form of this page may lead on to (CSP `form-action`). */
  readonly leadsTo?: readonly string[]
  /** Names of stylesheets in `adapters/pages/` beside the one of all pages. */
  readonly styles?: readonly string[]
  /** Feeds that browsers and readers find (`<link rel="alternate">`), by their media type. */
  readonly feeds?: readonly { readonly type: string; readonly href: string }[]
  /** Names of scripts in `adapters/pages/client/` that it works better with. */
  readonly scripts?: readonly string[]
  readonly looks?: Looks
  /** Where a page has a language of its own, for everybody. */
  readonly language?: Language
}

/** How a page stands in those of others. */
export interface Looks {
  readonly theme: 'system' | 'light' | 'dark'
  /** In a frame: without what stands around it, and telling the page around it how high it is. */
  readonly isEmbedded: boolean
  /** The page around it is seen behind it. */
  readonly isTransparent: boolean
  /** Origins whose pages may show it in a frame (CSP `frame-ancestors`). */
  readonly ancestors: readonly string[]
  /** Whether search engines may list it. */
  readonly isListed: boolean
  /** The owner's name, shown at the top and in the title instead of ours. */
  readonly brand?: { readonly name: string; readonly href: string }
}

/**
 * Pages of a site for somebody without an account, below an address of their own: each operation that the token may call
 * stands at its own path, `/sites/{site_id}/overview` at `<base>/overview`. Every link stays among them.
 */
export interface GuestPage {
  readonly guest: {
    /** Shown as a bearer token by every call that the page makes. */
    readonly token: string
    readonly site: { readonly id: string; readonly name: string; readonly timezone: string; readonly currency: string }
    readonly base: string
    /** What is shown beside the reports of the site: the path of its page, and what stands below the base instead. */
    readonly beside: readonly { readonly path: string; readonly as: string; readonly label: string }[]
    /** The part of the address below the base, as written there; empty for the first page. */
    readonly rest: string
    /** Parameters of the address that every link keeps. */
    readonly kept: Readonly<Record<string, string>>
    readonly looks: Looks
  }
}

/** Goes to another address instead, with 303. */
export interface Onward {
  readonly location: string
}

export interface Page {
  /** Parts of the path as in an operation: `/links/{token}`; a last part `{rest+}` takes all that follows. */
  readonly route: `GET /${string}`
  readonly summary: string
  /**
   * `session`: who is not signed in is sent to the page that `signsIn`. `optional`: anyone. `public`: anyone, and who is
   * signed in is not asked: the page is the same for all, sets no cookie and reads none.
   */
  readonly access: 'session' | 'optional' | 'public'
  /** Search engines may list it. */
  readonly isListed?: true
  readonly hosted?: Hosted
  /** Whether this is the page on which people sign in; the table has one. */
  readonly signsIn?: true
  show(request: PageRequest, app: CallingServices): Promise<PageContent | Onward | GuestPage>
}

/** How an operation is a form: what a browser is shown after it. */
export interface Form {
  /** Route of the page that has the form: shown again where it is refused, with what was wrong. */
  readonly page: Page['route']
  /**
   * The path that the browser goes on to; or what it is shown, for some minutes,
   * at an address that may be loaded again (only where somebody is signed in). @param data as the operation answers
   */
  after(data: never, typed: URLSearchParams, say: Say): string | PageContent
}

export function page(declared: Page): Page {
  return Object.freeze(declared)
}

/** A path of ours that a link or form may name as the next one; undefined for anything that could lead elsewhere. */
export function ownPath(text: string | null): string | undefined {
  if (text === null || text.length > 4_000 || !/^\/(?![/\\])[^\\\s]*$/.test(text)) return undefined
  const base = 'http://own.invalid'
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined
  // `/x/..//evil.example` is resolved to `//evil.example`, which browsers take for another host.
  if (url?.origin !== base || url.pathname.startsWith('//')) return undefined
  return url.pathname + url.search
}
