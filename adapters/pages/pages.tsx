/** Pages and their forms over HTTP. Translates only: pages show, `app.call` decides. */
import type { Context } from 'hono'
import type { App, Refusal } from '../../runtime/app.ts'
import { isRefusal } from '../../runtime/app.ts'
import type { Caller } from '../../runtime/caller.ts'
import { fail } from '../../runtime/errors.ts'
import {
  type GuestPage,
  type Looks,
  type Onward,
  ownPath,
  type Page,
  type PageContent,
  type PageRequest,
  type Refused,
} from '../../runtime/page.ts'
import type { NamedOperation } from '../../runtime/table.ts'
import { readForm } from '../http/body.ts'
import { matchesTag, tagOf } from '../http/etag.ts'
import { addressOf, type Env, headerOf, requestId } from '../http/http.ts'
import { decodeQuery } from '../http/query.ts'
import { askAs } from './asking.ts'
import { type Frame, surroundings } from './frame.ts'
import { withinGuest } from './guest.ts'
import { isKey, type Reader, readerBy, say } from './languages/index.ts'
import { hasForm } from './places.ts'
import type { Made } from './made.ts'
import { openProjection } from './projection.tsx'
import { Shell } from './shell.tsx'

export type PageAsk = Context<Env>
type Ask = PageAsk
export type SendPage = (
  c: Ask,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | null,
  cookies?: readonly string[],
) => Response | Promise<Response>

export interface Pages {
  show(page: Page, c: Ask): Promise<Response>
  /** @param operations what forms at this path may call, by method: a form says `?_method=DELETE` */
  submit(operations: ReadonlyMap<string, NamedOperation>, c: Ask): Promise<Response>
  /** What an operation answers, as a page. */
  project(operation: NamedOperation, c: Ask): Promise<Response>
  /** The address without a path. */
  home(c: Ask): Promise<Response>
  /** Why there is no page, for people. */
  refused(c: Ask, refusal: Refusal): Promise<Response>
}

/** A browser that opens an address; programs and scripts say `application/json` or nothing. */
export function asksForPage(c: Ask): boolean {
  return (
    /^\s*text\/html\b/i.test(headerOf(c, 'accept') ?? '') &&
    headerOf(c, 'authorization') === undefined &&
    !/\.(json|csv)$/.test(new URL(c.req.url).pathname)
  )
}

export const isForm = (c: Ask): boolean => /^application\/x-www-form-urlencoded\b/i.test(headerOf(c, 'content-type') ?? '')

export function openPages(app: App, send: SendPage): Pages {
  const signIn = app.table.pages.find(({ signsIn }) => signsIn)?.route.slice('GET '.length) ?? '/'

  /** To the page where people sign in, and from there back to here. */
  const toSignIn = (c: Ask, next: string, again = false): Response | Promise<Response> =>
    send(c, 303, { ...never, Location: `${signIn}?${new URLSearchParams({ ...(again && { again: '1' }), next })}` }, null)

  const html = async (
    c: Ask,
    { title, content, status = 200, width, scripts, leadsTo, looks }: PageContent,
    caller: Caller | undefined,
    cookies?: readonly string[],
    around: {
      readonly frame?: Frame
      readonly theme?: string | undefined
      readonly reader?: Reader
      readonly headers?: Readonly<Record<string, string>>
      readonly guest?: GuestPage['guest']
    } = {},
  ) => {
    const who = caller?.member?.email
    const reader = around.reader ?? around.frame ?? inEnglish
    const document = String(
      await (
        <Shell
          title={title}
          content={content}
          width={width}
          scripts={scripts}
          who={who}
          frame={around.frame}
          theme={around.theme}
          reader={reader}
          looks={looks}
        />
      ),
    )
    const text = `<!doctype html>${around.guest ? withinGuest(document, around.guest) : document}`
    // Browsers keep nothing of it; the script, which asks again while it is seen, is told where it is still the same.
    const tag = tagOf(text)
    const headers = { ...never, ...pageHeaders(leadsTo, looks), ...around.headers, ETag: tag }
    if (status === 200 && c.req.method === 'GET' && matchesTag(headerOf(c, 'if-none-match'), tag)) return send(c, 304, headers, null)
    return send(c, status, headers, text, cookies)
  }

  /** A page that an area brings, in the colours of who is signed in. */
  const shown = async (c: Ask, made: PageContent | Onward, caller: Caller | undefined, cookies?: readonly string[]) => {
    if ('location' in made) return send(c, 303, { ...never, Location: made.location }, null, cookies)
    const { account } = caller?.member ? await surroundings(app, askAs(app, c), { siteId: null, workspaceId: undefined }) : {}
    return html(c, made, caller, cookies, { theme: typeof account?.theme === 'string' ? account.theme : undefined })
  }

  const request = (c: Ask, caller: Caller | undefined, refused?: Refused): PageRequest => {
    const url = new URL(c.req.url)
    return {
      url,
      path: c.req.param(),
      query: url.searchParams,
      header: name => headerOf(c, name),
      ip: addressOf(c, app),
      caller,
      now: app.now(),
      ...(refused && { refused }),
    }
  }
  const nobody = (c: Ask) => app.visitor({ header: () => undefined, ip: addressOf(c, app), surface: 'pages' })
  const visitor = (c: Ask) => app.visitor({ header: name => headerOf(c, name), ip: addressOf(c, app), surface: 'pages' })
  const refusal = (c: Ask, { status, headers, body: { error } }: Pick<Refusal, 'status' | 'headers' | 'body'>, caller?: Caller) =>
    html(
      c,
      {
        title: troubleTitle(readerOf(c), status),
        content: <Trouble status={status} message={error.message} id={requestId(c)} reader={readerOf(c)} />,
        status,
        width: 'narrow',
      },
      caller,
      [],
      { reader: readerOf(c), headers: kept(headers) },
    )
  const projection = openProjection(app)

  const sent = (c: Ask, made: Made): Response | Promise<Response> => {
    if ('location' in made) return send(c, 303, { ...never, Location: made.location }, null, made.cookies)
    if (!('refusal' in made)) {
      const { frame, caller, cookies, againAfter } = made
      return html(c, made, caller, cookies, { frame, ...(againAfter !== undefined && { headers: { Refresh: String(againAfter) } }) })
    }
    const { pathname, search } = new URL(c.req.url)
    const next = made.isWrite ? '/' : pathname + search
    if (made.refusal.body.error.code === 'reauthentication_required') return toSignIn(c, next, true)
    return made.refusal.status === 401 ? toSignIn(c, next) : refusal(c, made.refusal, made.caller)
  }

  /** Nobody is signed in here, whoever looks: pages of a guest are the same for all, and go to nobody's sign-in. */
  const guest = async (c: Ask, { guest }: GuestPage): Promise<Response> => {
    const { looks } = guest
    const isFile = /\.csv$/.test(new URL(c.req.url).pathname)
    const made = await (isFile ? projection.file(guest, c) : projection.guest(guest, c))
    if (made && 'file' in made) {
      const headers = { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': `attachment; filename="${made.name}"` }
      return send(c, 200, { ...never, ...headers, 'X-Robots-Tag': 'noindex, nofollow' }, made.file)
    }
    if (!made) return html(c, { ...nothing, looks }, undefined)
    if ('location' in made) return send(c, 303, { ...never, ...pageHeaders([], looks), Location: made.location }, null)
    if (!('refusal' in made)) {
      const { groups } = made.frame
      const frame = { ...made.frame, groups: groups.flatMap(({ items }) => items).length > 1 ? groups : [] } // one page is no choice
      return html(c, { ...made, looks }, undefined, [], { frame, guest })
    }
    const { status, headers, body } = made.refusal
    const reader = readerOf(c)
    const content = <Trouble status={status} message={body.error.message} id={requestId(c)} reader={reader} />
    const trouble = { title: troubleTitle(reader, status), content, status, width: 'narrow', looks } as const
    return html(c, trouble, undefined, [], { reader, headers: kept(headers), guest })
  }

  return {
    async show(page, c) {
      try {
        const caller = page.access === 'public' ? await nobody(c) : await visitor(c)
        const { pathname, search } = new URL(c.req.url)
        if (page.access === 'session' && !caller) return toSignIn(c, pathname + search)
        const made = await page.show(request(c, caller), app)
        return 'guest' in made ? await guest(c, made) : await shown(c, made, caller)
      } catch (thrown) {
        return refusal(c, app.answerTo(thrown, requestId(c), 'query'))
      }
    },

    async submit(operations, c) {
      try {
        const operation = operations.get(c.req.query('_method') ?? 'POST')
        const form = operation?.form
        if (operation && hasForm(operation)) return await sent(c, await projection.act(operation, c))
        if (!operation || !form) return fail('method_not_allowed')
        const typed = await readForm(c.req.raw, headerOf(c, 'content-length'), headerOf(c, 'content-type'))
        const answer = await app.call({
          operation,
          surface: 'pages',
          header: name => headerOf(c, name),
          ip: addressOf(c, app),
          id: requestId(c),
          path: c.req.param(),
          input: async () => decodeQuery(operation.input, new URLSearchParams([...typed].filter(([name]) => !name.startsWith('_')))),
        })
        const { caller } = answer
        if (!isRefusal(answer)) {
          const { data } = answer.body as { data: never } // forms are of operations that answer a record
          const next = form.after(data, typed)
          return await shown(c, typeof next === 'string' ? { location: next } : next, caller, answer.cookies)
        }
        const { error } = answer.body
        const path = form.page.slice('GET '.length).replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(c.req.param(name) ?? ''))
        const next = ownPath(typed.get('_next')) ?? path
        if (error.code === 'reauthentication_required') return toSignIn(c, next, true)
        if (answer.status === 401 && operation.access !== 'public') return toSignIn(c, next)
        if (answer.status === 403 || answer.status === 429 || answer.status >= 500) return await refusal(c, answer, caller)
        for (const secret of operation.secrets) typed.delete(secret)
        const page = app.table.pages.find(({ route }) => route === form.page)
        if (!page) throw new Error(`There is no page ${form.page}`) // the table was checked for it
        const looker = page.access === 'public' ? await nobody(c) : await visitor(c)
        const again = await page.show(request(c, looker, { error, operation: operation.id, values: typed }), app)
        if ('guest' in again) return await guest(c, again)
        return await shown(c, 'location' in again ? again : { ...again, status: answer.status }, caller)
      } catch (thrown) {
        return refusal(c, app.answerTo(thrown, requestId(c), 'body'))
      }
    },

    async project(operation, c) {
      try {
        return await sent(c, await projection.show(operation, c))
      } catch (thrown) {
        return refusal(c, app.answerTo(thrown, requestId(c), 'query'))
      }
    },

    async home(c) {
      try {
        const caller = await visitor(c)
        if (!caller) return toSignIn(c, '/')
        return send(c, 303, { ...never, Location: await projection.home(caller, c) }, null)
      } catch (thrown) {
        return refusal(c, app.answerTo(thrown, requestId(c), 'query'))
      }
    },

    refused: (c, answer) => refusal(c, answer),
  }
}

/** Pages that areas bring are in English. */
const inEnglish: Reader = { locale: 'en' }
/** Who is told of trouble has no account around it: what the browser asks for. */
const readerOf = (c: Ask): Reader => readerBy(headerOf(c, 'accept-language'))

function troubleTitle(reader: Reader, status: number): string {
  const key = `trouble_${status}`
  return say(reader, isKey(key) ? key : 'trouble')
}
const nothing: PageContent = {
  title: 'There is nothing here',
  status: 404,
  width: 'narrow',
  content: (
    <section class="card">
      <h1>There is nothing here</h1>
      <p>This is not among what is shared.</p>
    </section>
  ),
}
/** What an error of the API says beside its body that browsers use as well. */
const kept = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name === 'Retry-After' || name === 'Allow'))

/** Messages are for programs, too: where they speak of tokens, people are told what it means for them. */
function Trouble({ status, message, id, reader }: { status: number; message: string; id: string; reader: Reader }) {
  const advice = `advice_${status}`
  return (
    <section class="card">
      <h1>{troubleTitle(reader, status)}</h1>
      <p>{isKey(advice) ? say(reader, advice) : message}</p>
      <p>
        <a href="/">{say(reader, 'to_sites')}</a>
      </p>
      {status >= 500 && (
        <p class="help">
          {say(reader, 'request_id')} <code>{id}</code>
        </p>
      )}
    </section>
  )
}

/** Who is signed in is nobody else's to keep. */
const never = { 'Cache-Control': 'no-store' } as const

/**
 * Nothing but our own files, no inline script or style, in nobody's frame (docs/sign-in.md, "What is stored"). Where a page
 * may stand in a frame, `frame-ancestors` says so, which browsers follow before X-Frame-Options (CSP 3 §6.4.2.2).
 */
function pageHeaders(leadsTo: readonly string[] = [], looks?: Looks): Readonly<Record<string, string>> {
  const ancestors = looks && looks.ancestors.length > 0 ? looks.ancestors.join(' ') : "'none'"
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Cross-Origin-Opener-Policy': 'same-origin',
    // With `no-referrer` browsers send forms with `Origin: null` (Fetch §3.2), and nobody knows where they are from.
    // Addresses of shared links open something: they are told to nobody.
    'Referrer-Policy': looks ? 'no-referrer' : 'same-origin',
    ...(looks && !looks.isListed && { 'X-Robots-Tag': 'noindex, nofollow' }),
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self'",
      `form-action ${["'self'", ...leadsTo].join(' ')}`,
      "base-uri 'none'",
      `frame-ancestors ${ancestors}`,
    ].join('; '),
  }
}
