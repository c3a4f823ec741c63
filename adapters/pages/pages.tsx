/** Pages and their forms over HTTP. Translates only: pages show, `app.call` decides. */
import { isRefusal, type Refusal } from '../../runtime/table/answer.ts'
import type { App } from '../../runtime/app.ts'
import { cookieOf, shownTo } from '../../runtime/call/credentials.ts'
import { type Caller, isMember } from '../../runtime/table/caller.ts'
import { type Together, together } from '../../runtime/call/shared-reads.ts'
import { changeSince, drawnField, drawnIn } from '../../runtime/call/form-digests.ts'
import { type ErrorBody, fail } from '../../runtime/table/errors.ts'
import {
  type Form,
  type GuestPage,
  type Looks,
  type Onward,
  ownPath,
  type Page,
  type PageContent,
  type PageRequest,
  type Refused,
} from '../../runtime/table/page.ts'
import { keptTexts } from '../../runtime/call/kept-forms.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { readForm } from '../http/body.ts'
import { matchesTag, tagOf } from '../http/etag.ts'
import { addressOf, headerOf, requestId } from '../http/web.ts'
import { decodeQuery } from '../http/query.ts'
import { loadAreaViews } from './area-views.ts'
import { askAs, once, type PageAsk, readerAs } from './call-operation.ts'
import { duration } from '../../runtime/ui/format.ts'
import { type Ask as AskOf, type Frame, frameOf, type NavigationGroup, type Surroundings, surroundings } from './frame.ts'
import { withinGuest } from './guest.ts'
import { below } from './base-path-links.ts'
import { basePath } from '../../runtime/values/base-path.ts'
import { type Kept, keep, keptAt, keptParameter, waits } from './keep-form.ts'
import { hasForms, newKey, withKey } from './form-keys.ts'
import { hasForm } from '../surfaces.ts'
import type { PageResponse } from './page-response.ts'
import { openProjection } from './projection.tsx'
import { ResultNotice } from './result-notice.tsx'
import { type Result, resultAt, withResult } from './results.ts'
import { send as sendForm } from './send-once.ts'
import { Shell } from './shell.tsx'
import { errorFor } from './reader-texts.ts'
import { filled } from '../../runtime/ui/words.ts'
import { m } from './messages.ts'
import { ui } from '../../runtime/ui/messages.ts'
import { type Say, say, sayIn, sayFault } from '../../runtime/texts/say.ts'
import { type Reader, readerBy } from '../../runtime/texts/reader.ts'
import { common } from '../../runtime/texts/common.ts'
import { Message, type PlainMessage, type Sentence } from '../../runtime/texts/message.ts'
import { loadTexts } from '../../runtime/texts/catalogues.ts'

type Ask = PageAsk
interface SentPage {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | null
  readonly cookies?: readonly string[] | undefined
  readonly isReport?: boolean | undefined
}
export type SendPage = (c: Ask, sent: SentPage) => Response | Promise<Response>

export interface Pages {
  /** @param path parameters of the path, if the address does not contain them */
  show(page: Page, c: Ask, path?: Readonly<Record<string, string>>): Promise<Response>
  /** @param operations operations that forms at this path may call, by method: a form says `?_method=DELETE` */
  submit(operations: ReadonlyMap<string, NamedOperation>, c: Ask): Promise<Response>
  /** The answer of an operation, as a page. */
  project(operation: NamedOperation, c: Ask): Promise<Response>
  /** The address without a path. */
  home(c: Ask): Promise<Response>
  /** A page that explains a refusal. */
  refused(c: Ask, refusal: Refusal): Promise<Response>
}

interface Html {
  readonly pageContent: PageContent
  readonly caller: Caller | undefined
  readonly cookies?: readonly string[] | undefined
  readonly around?: {
    readonly frame?: Frame
    readonly theme?: string | undefined
    readonly reader?: Reader
    readonly headers?: Readonly<Record<string, string>>
    readonly guest?: GuestPage['guest']
    /** Seconds after which the page is loaded again. */
    readonly againAfter?: number | undefined
    readonly isReport?: boolean | undefined
  }
}

interface Shown {
  readonly made: PageContent | Onward
  readonly caller: Caller | undefined
  readonly reading: Reading
  readonly cookies?: readonly string[] | undefined
  /** Access to the page. */
  readonly access?: Page['access']
}

interface Request {
  readonly caller: Caller | undefined
  readonly say: Say
  readonly ask: AskOf
  readonly refused?: Refused | undefined
  readonly path?: Readonly<Record<string, string>> | undefined
}

/** @throws TableError if the views of areas are declared wrongly */
export async function openPages(app: App, send: SendPage): Promise<Pages> {
  await loadAreaViews(app.table)
  const signIn = app.table.pages.find(({ signsIn }) => signsIn)?.route.slice('GET '.length) ?? '/'

  const pageOf = ({ page }: Form): Page => {
    const found = app.table.pages.find(({ route }) => route === page)
    if (!found) throw new Error(`There is no page ${page}`) // the table was checked for it
    return found
  }

  /** Redirects to the sign-in page, which leads back to `next`. */
  const toSignIn = (c: Ask, next: string, again = false): Response | Promise<Response> => {
    const why = again ? [['again', '1']] : hadSession(c) ? [['ended', '1']] : []
    return send(c, {
      status: 303,
      headers: { ...never, Location: `${signIn}?${new URLSearchParams([...why, ['next', next]])}` },
      body: null,
    })
  }
  /** Whether the browser has a session cookie. If the caller is unknown, the session has ended. */
  const hadSession = (c: Ask): boolean => {
    const request = { header: (name: string) => headerOf(c, name), ip: '', surface: 'pages' }
    return app.table.authenticators.some(each => 'cookie' in each.sentAs && shownTo(each, request, app.config.BASE_URL) !== undefined)
  }

  const html = async (
    c: Ask,
    {
      pageContent: { title, content, status = 200, width, scripts, styles, feeds, leadsTo, looks, language },
      caller,
      cookies,
      around = {},
    }: Html,
  ) => {
    const who = caller?.member?.email
    const reader = language === undefined ? (around.reader ?? around.frame ?? readerOf(c)) : { locale: language }
    await loadTexts(reader)
    const document = String(
      await (
        <Shell
          title={title}
          content={content}
          width={width}
          scripts={scripts}
          styles={styles}
          feeds={feeds}
          who={who}
          frame={around.frame}
          theme={around.theme}
          reader={reader}
          looks={looks}
          againAfter={around.againAfter}
          isFolded={cookieOf({ header: name => headerOf(c, name) }, 'side', '') === 'folded'}
        />
      ),
    )
    const text = `<!doctype html>${below(basePath(app.config.BASE_URL), around.guest ? withinGuest(document, around.guest) : document)}`
    const bytes = Buffer.from(text) // once for the tag and for the wire
    // Browsers do not cache the page. The script, which reloads a visible page, receives 304 if it is unchanged. The tag does
    // not include the keys of forms.
    const tag = tagOf(bytes)
    const headers = { ...never, ...pageHeaders(leadsTo, looks), ...around.headers, ETag: tag }
    if (status === 200 && c.req.method === 'GET' && matchesTag(headerOf(c, 'if-none-match'), tag))
      return send(c, { status: 304, headers, body: null })
    const kept = c.req.method === 'GET' ? new URL(c.req.url).searchParams.get(keptParameter) : undefined
    const body = hasForms(text) ? Buffer.from(withKey(text, await newKey(app, caller?.member?.accountId, kept))) : bytes
    return send(c, { status, headers, body, cookies, isReport: around.isReport })
  }

  /** Finds the reader of an area's page: theme and language of the signed-in account, otherwise the language of the browser. */
  const readingOf = async (c: Ask, caller: Caller | undefined, ask: AskOf = askAs(app, { c })): Promise<Reading> => {
    // A person has not come into a workspace by looking at their account.
    const workspaceId = caller?.recordFirstVisit ? undefined : caller?.workspaceId
    const around = caller?.member ? await surroundings(app, ask, { siteId: null, workspaceId }) : undefined
    const reader = around?.viewer ?? readerOf(c)
    await loadTexts(reader)
    const theme = around?.account?.theme
    return { around, reader, say: await sayIn(reader.locale), theme: typeof theme === 'string' ? theme : undefined }
  }
  const shown = async (c: Ask, { made, caller, reading: { around, reader, theme }, cookies, access }: Shown) => {
    if ('location' in made) return send(c, { status: 303, headers: { ...never, Location: made.location }, body: null, cookies })
    // A wide page of a member, the account, has the navigation of the workspace.
    const isFramed = access === 'session' && made.width === undefined && caller && around?.workspace
    const frame = isFramed ? frameOf(app, { caller, around, here: new URL(c.req.url).pathname }) : undefined
    return html(c, { pageContent: made, caller, cookies, around: { frame, reader, theme } })
  }

  const request = (c: Ask, { caller, say, ask, refused, path = c.req.param() as PageRequest['path'] }: Request): PageRequest => {
    const url = new URL(c.req.url)
    return {
      url,
      path,
      query: url.searchParams,
      header: name => headerOf(c, name),
      ip: addressOf(c, app),
      caller,
      now: app.now(),
      say,
      read: readerAs(app, ask),
      asksPassword: async () => {
        const prover = app.table.provers.find(({ of }) => of === caller?.kind)
        return caller !== undefined && prover !== undefined && isMember(caller) && prover.asks(app, caller, app.now())
      },
      ...(refused && { refused }),
    }
  }
  /** Builds the reads of a page. A public page reads without the session. */
  const asksFor = ({ access }: Page, c: Ask, shared?: Together): AskOf =>
    once(access === 'public' ? askAs(app, { c, header: () => undefined }) : askAs(app, { c, header: undefined, shared }))
  const anonymousCaller = (c: Ask) => app.visitor({ header: () => undefined, ip: addressOf(c, app), surface: 'pages' })
  const visitor = (c: Ask, shared?: Together) =>
    app.visitor({ header: name => headerOf(c, name), ip: addressOf(c, app), surface: 'pages', together: shared })
  const refusal = async (c: Ask, { status, headers, body: { error } }: Pick<Refusal, 'status' | 'headers' | 'body'>, caller?: Caller) => {
    // If the service fails or limits requests, the error page makes no further calls.
    const reading = caller && status < 500 && status !== 429 ? await readingOf(c, caller) : undefined
    const reader = reading?.reader ?? readerOf(c)
    await loadTexts(reader)
    const message = error.code === 'method_not_allowed' ? say(reader, m.only_sent) : sayFault(reader, error.message)
    const hasRoleAdvice = caller !== undefined && !isOwnReason(error.message)
    const way = hadSession(c) ? ({ href: '/', label: m.to_sites } as const) : ({ href: signIn, label: common.sign_in } as const)
    const trouble = { status, message, id: requestId(c), after: headers['Retry-After'], reader, hasRoleAdvice, way }
    const { pathname, search } = new URL(c.req.url)
    const otherwise = `${signIn}?${new URLSearchParams({ again: '1', next: pathname + search })}`
    const content = <Trouble {...trouble} otherwise={status === 404 && caller?.signedInBy !== undefined ? otherwise : undefined} />
    const made = { title: troubleTitle(reader, status, headers['Retry-After']), content, status, width: 'narrow' } as const
    return html(c, {
      pageContent: made,
      caller,
      cookies: [],
      around: { reader, theme: reading?.theme, headers: kept(c, { status, headers }) },
    })
  }
  /** Shows a 404, in the theme and language of the signed-in account. */
  const nowhere = async (c: Ask, answer: Refusal) => refusal(c, answer, await visitor(c).catch(() => undefined))
  const projection = openProjection(app)

  const sent = (c: Ask, made: PageResponse): Response | Promise<Response> => {
    if ('location' in made)
      return send(c, { status: 303, headers: { ...never, Location: made.location }, body: null, cookies: made.cookies })
    if (!('refusal' in made)) {
      const { frame, caller, cookies, againAfter, isReport } = made
      return html(c, { pageContent: made, caller, cookies, around: { frame, againAfter, isReport } })
    }
    const { pathname, search } = new URL(c.req.url)
    const next = made.next ?? pathname + search
    if (made.refusal.body.error.code === 'reauthentication_required') return toSignIn(c, next, true)
    return made.refusal.status === 401 ? toSignIn(c, next) : refusal(c, made.refusal, made.caller)
  }

  /** Shows a guest's page. It ignores the session, so it is the same for every viewer, and never leads to a sign-in. */
  const guest = async (c: Ask, { guest }: GuestPage): Promise<Response> => {
    const { looks } = guest
    const isFile = /\.csv$/.test(new URL(c.req.url).pathname)
    const made = await (isFile ? projection.file(guest, c) : projection.guest(guest, c))
    if (made && 'file' in made) {
      const headers = { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': `attachment; filename="${made.name}"` }
      return send(c, { status: 200, headers: { ...never, ...headers, 'X-Robots-Tag': 'noindex, nofollow' }, body: made.file })
    }
    const reader = readerOf(c)
    await loadTexts(reader)
    if (!made) return html(c, { pageContent: { ...nothing(reader), looks }, caller: undefined, cookies: [], around: { reader } })
    if ('location' in made)
      return send(c, { status: 303, headers: { ...never, ...pageHeaders([], looks), Location: made.location }, body: null })
    if (!('refusal' in made)) {
      const groups = [...guestGroups(guest, new URL(c.req.url).pathname), ...made.frame.groups]
      // A single page needs no navigation.
      const frame = { ...made.frame, groups: groups.flatMap(({ items }) => items).length > 1 ? groups : [] }
      return html(c, { pageContent: { ...made, looks }, caller: undefined, cookies: [], around: { frame, guest } })
    }
    const { status, headers, body } = made.refusal
    const message = sayFault(reader, body.error.message)
    const trouble = { status, message, id: requestId(c), after: headers['Retry-After'], reader, hasRoleAdvice: false }
    const content = <Trouble {...trouble} />
    const page = { title: troubleTitle(reader, status, headers['Retry-After']), content, status, width: 'narrow', looks } as const
    return html(c, { pageContent: page, caller: undefined, cookies: [], around: { reader, headers: kept(c, { status, headers }), guest } })
  }

  return {
    async show(page, c, path) {
      try {
        const shared = together()
        const caller = page.access === 'public' ? await anonymousCaller(c) : await visitor(c, shared)
        const { pathname, search } = new URL(c.req.url)
        if (page.access === 'session' && !caller) return toSignIn(c, pathname + search)
        const ask = asksFor(page, c, shared)
        const reading = await readingOf(c, caller, ask)
        const result = await resultAt(app, new URL(c.req.url), caller)
        const form = result?.operation.form
        const isOwn = form?.page === page.route
        const after = isOwn && result?.record ? form.after(result.record as never, new URLSearchParams(), reading.say) : undefined
        if (after && typeof after !== 'string') return await shown(c, { made: after, caller, reading })
        const kept = await keptAt(app, new URL(c.req.url), caller)
        const waiting =
          kept && app.table.operations.get(kept.operation)?.form?.page === page.route ? waitingForm(kept, reading.say) : undefined
        const made = await page.show(request(c, { caller, say: reading.say, ask, refused: waiting, path }), app)
        if ('guest' in made) return await guest(c, made)
        return await shown(c, {
          made: isOwn && result ? withNotice(made, result, reading.reader) : made,
          caller,
          reading,
          access: page.access,
        })
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
        const typed = await readForm(c)
        const values = decodeQuery(operation.input, new URLSearchParams([...typed].filter(([name]) => !name.startsWith('_'))))
        const drawn = drawnIn(typed.get(drawnField))
        const change = drawn.size > 0 ? changeSince({ drawn, values, typed }) : undefined
        const { answer, key } = await sendForm(app, {
          operation,
          c,
          typed,
          input: change?.changed ?? values,
          precondition: change?.precondition,
        })
        const { caller } = answer
        const path = filled(form.page.slice('GET '.length), c.req.param())
        if (!isRefusal(answer)) {
          const { data } = answer.body as { data: never } // operations with a form answer a record
          const reading = await readingOf(c, caller)
          const next = ownPath(typed.get('_back')) ?? form.after(data, typed, reading.say)
          const location = typeof next === 'string' ? next : path
          // The page of the form shows the outcome. Other pages may not be able to.
          const isOwn = pageOf(form).access === 'session' && location.replace(/[?#].*/, '') === path
          return await shown(c, {
            made: { location: isOwn ? withResult(location, operation, key) : location },
            caller,
            reading,
            cookies: answer.cookies,
          })
        }
        const { error } = answer.body
        if (waits(answer) && operation.access !== 'public') {
          const kept = await keep(app, { operation, c, typed, caller })
          const next = keptParameter in kept ? `${path}?${new URLSearchParams(kept)}` : (ownPath(typed.get('_next')) ?? path)
          return toSignIn(c, next, answer.status !== 401)
        }
        if (answer.status === 403 || answer.status === 429 || answer.status >= 500) return await refusal(c, answer, caller)
        for (const secret of operation.secrets) typed.delete(secret)
        if (change) for (const name of Object.keys(values)) if (!Object.hasOwn(change.changed, name)) typed.delete(name) // the form shows the current value
        const page = pageOf(form)
        const viewer = page.access === 'public' ? await anonymousCaller(c) : await visitor(c)
        const ask = asksFor(page, c)
        const reading = await readingOf(c, viewer, ask)
        const { reader, say } = reading
        const refused = {
          error: errorFor(reader, withSaved(error, change?.saved, reader)),
          say,
          operation: operation.id,
          values: typed,
        }
        const again = await page.show(request(c, { caller: viewer, say, ask, refused }), app)
        if ('guest' in again) return await guest(c, again)
        return await shown(c, {
          made: 'location' in again ? again : { ...again, status: answer.status },
          caller,
          reading,
          access: page.access,
        })
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
        return send(c, { status: 303, headers: { ...never, Location: await projection.home(caller, c) }, body: null })
      } catch (thrown) {
        return refusal(c, app.answerTo(thrown, requestId(c), 'query'))
      }
    },

    refused: (c, answer) => (answer.status === 404 ? nowhere(c, answer) : refusal(c, answer)),
  }
}

/** Individually shared dashboards and links, which come before the reports of the site. */
const guestGroups = ({ base, beside, rest }: GuestPage['guest'], here: string): NavigationGroup[] =>
  beside.length === 0
    ? []
    : [
        {
          label: '',
          items: beside.map(({ path, as, label }, i) => ({ href: path, label, isHere: rest === as || (i === 0 && here === base) })),
        },
      ]

/** Adds values that another request has saved, as faults of the controls with other values. */
const withSaved = (error: ErrorBody['error'], saved: Readonly<Record<string, unknown>> = {}, reader: Reader): ErrorBody['error'] => {
  const words = (value: unknown): string => (typeof value === 'boolean' ? say(reader, value ? ui.yes : ui.no) : String(value ?? '–'))
  const details = Object.entries(saved).map(([name, value]) => {
    return { in: 'body', pointer: `/${name}`, code: 'mismatch', message: say(reader, m.saved_meanwhile, { value: words(value) }) } as const
  })
  return { ...error, details: [...error.details, ...details] }
}

/** A form that waited for a sign-in, filled in again. */
const waitingForm = ({ operation, fields }: Kept, say: Say): Refused => ({
  error: { code: 'authentication_required', message: say(keptTexts.again), details: [] },
  say,
  operation,
  values: fields,
  isKept: true,
})

/** Adds the outcome of a form above an area's page. */
const withNotice = (made: PageContent | Onward, result: Result, reader: Reader): PageContent | Onward =>
  'location' in made
    ? made
    : {
        ...made,
        content: (
          <>
            <ResultNotice result={result} reader={reader} />
            {made.content}
          </>
        ),
      }

interface Reading {
  /** Surroundings of a member's page. */
  readonly around: Surroundings | undefined
  readonly reader: Reader
  readonly say: Say
  readonly theme: string | undefined
}
/** Reader of an error page: the languages that the browser asks for, because no account is known. */
const readerOf = (c: Ask): Reader => readerBy(headerOf(c, 'accept-language'))

const troubles: Readonly<Record<number, PlainMessage>> = {
  403: m.trouble_403,
  404: m.trouble_404,
  405: m.trouble_405,
  429: m.trouble_429,
  500: m.trouble_500,
  503: m.trouble_503,
}
const advice: Readonly<Record<number, PlainMessage>> = { 403: m.advice_403, 404: m.advice_404, 429: m.advice_429, 500: m.advice_500 }

function troubleTitle(reader: Reader, status: number, after: string | undefined): string {
  const isLasting = status === 503 && after === undefined
  return say(reader, (isLasting ? undefined : troubles[status]) ?? m.trouble)
}
const nothing = (reader: Reader): PageContent => ({
  title: say(reader, m.trouble_404),
  status: 404,
  width: 'narrow',
  content: (
    <section class="card">
      <h1>{say(reader, m.trouble_404)}</h1>
      <p>{say(reader, m.not_shared)}</p>
    </section>
  ),
})
/** The headers of an API error that browsers use as well. Pages that an outage keeps away load again by themselves; a sent form does not. */
function kept(c: Ask, { status, headers }: Pick<Refusal, 'status' | 'headers'>): Record<string, string> {
  const used = Object.entries(headers).filter(([name]) => name === 'Retry-After' || name === 'Allow')
  const after = headers['Retry-After']
  return { ...Object.fromEntries(used), ...(status === 503 && c.req.method === 'GET' && after !== undefined && { Refresh: after }) }
}

interface TroubleProps {
  readonly status: number
  readonly message: string
  readonly id: string
  /** Seconds to wait before the next request (`Retry-After`). */
  readonly after: string | undefined
  readonly reader: Reader
  /** Whether a 403 gives advice about the role: only a known caller has one, and another reason is shown as it is. */
  readonly hasRoleAdvice: boolean
  /** Address to sign in again, for a user whose session opens only one workspace. */
  readonly otherwise?: string | undefined
  /** A link onwards; guests have none. */
  readonly way?: { readonly href: string; readonly label: PlainMessage }
}

/** Whether an operation gives a reason of its own. Reasons of the checks before it are about permissions and roles. */
const isOwnReason = (reason: Sentence): boolean => reason instanceof Message && !/^(?:call|error)\./.test(reason.code)

/** Error page. Some messages are meant for programs, so people get advice instead. */
function Trouble({ status, message, id, after, reader, hasRoleAdvice, otherwise, way }: TroubleProps) {
  const advised = status !== 403 || hasRoleAdvice ? advice[status] : undefined
  return (
    <section class="card">
      <h1>{troubleTitle(reader, status, after)}</h1>
      <p>
        {status === 429 && after !== undefined
          ? say(reader, m.advice_429_after, { time: duration(Number(after) * 1_000, { ...reader, timezone: 'UTC', currency: '' }) })
          : advised
            ? say(reader, advised)
            : message}
      </p>
      {otherwise !== undefined && (
        <p>
          {say(reader, m.one_workspace)} <a href={otherwise}>{say(reader, m.sign_in_otherwise)}</a>
        </p>
      )}
      {way && (
        <p>
          <a href={way.href}>{say(reader, way.label)}</a>
        </p>
      )}
      {status >= 500 && (
        <p class="help">
          {say(reader, m.request_id)} <code>{id}</code>
        </p>
      )}
    </section>
  )
}

/** Forbids caching, because a page shows the signed-in account. */
const never = { 'Cache-Control': 'no-store' } as const

/**
 * Allows only our own files, no inline script or style, and no framing (docs/sign-in.md, "What is stored"). If a page may be
 * framed, `frame-ancestors` says so; browsers prefer it over X-Frame-Options (CSP 3 §6.4.2.2).
 */
function pageHeaders(leadsTo: readonly string[] = [], looks?: Looks): Readonly<Record<string, string>> {
  const ancestors = looks && looks.ancestors.length > 0 ? looks.ancestors.join(' ') : "'none'"
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Cross-Origin-Opener-Policy': 'same-origin',
    // With `no-referrer`, browsers send forms with `Origin: null` (Fetch §3.2), which hides where they come from.
    // The address of a shared link is a secret, so it is never sent as a referrer.
    'Referrer-Policy': looks ? 'no-referrer' : 'same-origin',
    ...(looks && !looks.isListed && { 'X-Robots-Tag': 'noindex, nofollow' }),
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "frame-src 'self'",
      `form-action ${["'self'", ...leadsTo].join(' ')}`,
      "base-uri 'none'",
      `frame-ancestors ${ancestors}`,
    ].join('; '),
  }
}
