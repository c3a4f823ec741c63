/**
 * A page is HTML that the server makes for a path, inside the document that all pages share. It may have the path of an
 * operation, which then answers all clients but browsers. A page changes nothing itself: its forms call operations.
 */
import type { HtmlEscapedString } from 'hono/utils/html'
import type { Caller } from './caller.ts'
import type { ErrorBody } from './errors.ts'
import type { Hosted } from './hosted.ts'
import type { CallingServices } from './services.ts'
import type { Language } from '../texts/reader.ts'
import type { Say } from '../texts/say.ts'

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
  /** The signed-in caller; always set if the access is `session`. */
  readonly caller: Caller | undefined
  readonly now: number
  /** Says texts in the language of the account or, without a session, of the browser. */
  readonly say: Say
  /**
   * Calls a read operation for the caller of the page. Within one request the same read runs once.
   * @throws Failure if it is refused
   */
  read(operation: string, input?: Readonly<Record<string, unknown>>): Promise<unknown>
  /** Whether the caller has to send the current password to an operation that declares `proof`. */
  asksPassword(): Promise<boolean>
  /** Set if a form of this page was refused: the error, and the typed values. */
  readonly refused?: Refused
}

/** The refusal of a form. Its message is in the language of the page. */
export interface Refused extends Pick<ErrorBody, 'error'> {
  readonly say: Say
  /** Operation that refused it. */
  readonly operation: string
  /** Secrets among them are not repeated. */
  readonly values: URLSearchParams
  /** The form is not faulty: it was kept during a sign-in, and waits to be sent again. */
  readonly isKept?: true
}

export interface PageContent {
  readonly title: string
  readonly content: Content
  /** HTTP status; default 200. */
  readonly status?: number
  /** `narrow`: one small form in the middle, as signing in is. */
  readonly width?: 'narrow'
  /** Further origins that a form of this page may lead to (CSP `form-action`). */
  readonly leadsTo?: readonly string[]
  /** Names of stylesheets in `adapters/pages/`, in addition to the one of all pages. */
  readonly styles?: readonly string[]
  /** Feeds that browsers and readers find (`<link rel="alternate">`), by their media type. */
  readonly feeds?: readonly { readonly type: string; readonly href: string }[]
  /** Names of scripts in `adapters/pages/client/` that it works better with. */
  readonly scripts?: readonly string[]
  readonly looks?: Looks
  /** The language of a page that does not depend on the reader. */
  readonly language?: Language
}

/** How a page appears in pages of other sites. */
export interface Looks {
  readonly theme: 'system' | 'light' | 'dark'
  /** In a frame: without header and navigation. It reports its height to the page that embeds it. */
  readonly isEmbedded: boolean
  /** The background is transparent. */
  readonly isTransparent: boolean
  /** Origins whose pages may show it in a frame (CSP `frame-ancestors`). */
  readonly ancestors: readonly string[]
  /** Whether search engines may list it. */
  readonly isListed: boolean
  /** The owner's name, shown at the top and in the title instead of ours. */
  readonly brand?: { readonly name: string; readonly href: string }
}

/**
 * Pages of a site for visitors without an account, below an address of their own. Each operation that the token may call has
 * a page, for example `/sites/{site_id}/overview` at `<base>/overview`. All links lead to such pages.
 */
export interface GuestPage {
  readonly guest: {
    /** Shown as a bearer token by every call that the page makes. */
    readonly token: string
    readonly site: { readonly id: string; readonly name: string; readonly timezone: string; readonly currency: string }
    readonly base: string
    /** Further pages besides the reports of the site: the path of the page, and its name below the base. */
    readonly beside: readonly { readonly path: string; readonly as: string; readonly label: string }[]
    /** The part of the address below the base, as written there; empty for the first page. */
    readonly rest: string
    /** Parameters of the address that every link keeps. */
    readonly kept: Readonly<Record<string, string>>
    readonly looks: Looks
  }
}

/** Redirects to another address, with 303. */
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

/** How an operation is sent by a form of an area's own page, and where the browser goes afterwards. */
export interface Form {
  /** Route of the page with the form: it is shown again with the error if the form is refused. */
  readonly page: Page['route']
  /**
   * The path that the browser goes on to; or what it is shown, for some minutes,
   * at an address that may be loaded again (only for a signed-in user). @param data as the operation answers
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
