/** Every operation of the table as a page: what it reads is shown, what it changes is a form. */
import { isRefusal } from '../../runtime/table/answer.ts'
import type { App } from '../../runtime/app.ts'
import { type Caller, mayDownload } from '../../runtime/table/caller.ts'
import type { GuestPage } from '../../runtime/table/page.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { csvName, csvOf, csvTableOf, takeOptions } from '../http/csv.ts'
import { decodeQuery } from '../http/query.ts'
import { viewOf } from './area-views.ts'
import { frameOf } from './frame.ts'
import { homeFor, rememberSite } from './home.ts'
import { keptTabs } from './kept-tabs.ts'
import { lookedAt } from './last-visit.ts'
import { nameOf } from '../../runtime/ui/list.tsx'
import { loadPage } from './load-page.ts'
import type { PageResponse, SubmittedForm } from './page-response.ts'
import { PageBody } from './page-body.tsx'
import type { PageAsk } from './call-operation.ts'
import { contentOf } from './answer-facts.ts'
import { type Spot, spotsOf } from './page-tree.ts'
import { asOfNow, outcomeIn, resultAt, withoutResult } from './results.ts'
import { answerOf } from './result-page.tsx'
import { submit, waitingAt } from './submit-form.tsx'
import { periodShown } from '../../runtime/ui/periods.tsx'
import { sentCondition } from '../../runtime/ui/toolbar.tsx'
import { type GuestLook, guestLook } from './viewer.ts'
import { openWays } from './record-links.ts'

export interface CsvFile {
  readonly file: string
  readonly name: string
}

/** Interval at which a page checks for a pending outcome, in s. */
const pendingSeconds = 5

export interface Projection {
  show(operation: NamedOperation, c: PageAsk): Promise<PageResponse>
  act(operation: NamedOperation, c: PageAsk): Promise<PageResponse>
  /** A page of a site for a guest without an account; undefined if the token shows no page at that address. */
  guest(guest: GuestPage['guest'], c: PageAsk): Promise<PageResponse | undefined>
  /** The page as CSV; undefined if it is not a table, or if the guest may not download it. */
  file(guest: GuestPage['guest'], c: PageAsk): Promise<CsvFile | Extract<PageResponse, { readonly refusal: unknown }> | undefined>
  /** Path that a person is sent to after signing in. */
  home(caller: Caller, c: PageAsk): Promise<string>
}

export function openProjection(app: App): Projection {
  const spots = spotsOf(app.table)
  const ways = openWays(app)

  async function page(
    { spot, c, url }: { spot: Spot; c: PageAsk; url: URL },
    { sent, guest, path }: { sent?: SubmittedForm; guest?: GuestLook; path?: Readonly<Record<string, string>> } = {},
  ): Promise<PageResponse> {
    const tabs = keptTabs(app, c, guest ? undefined : viewOf(app.table, spot.operation))
    const loaded = await loadPage(app, ways, {
      spot,
      c,
      url: tabs.added(withoutResult(url)),
      path: path ?? guest?.path ?? c.req.param(),
      sent,
      visit: guest?.visit,
    })
    if ('refusal' in loaded) return { refusal: loaded.refusal, caller: loaded.refusal.caller }
    const { around, caller, status, place, period } = loaded
    const then = sent ? undefined : await resultAt(app, url, caller)
    const result = then && asOfNow(then, loaded)
    const answer = then && (await answerOf(app, { c, loaded, result: then })) // only the answer contains a secret
    const shown = answer ? undefined : loaded.shown
    const againAfter = shown?.againAfter ?? (result && !answer && outcomeIn(result)?.isPending ? pendingSeconds : undefined)
    const title = answer?.title ?? loaded.title
    const frame = frameOf(app, {
      caller,
      around,
      here: url.pathname,
      above: loaded.above.map(({ href }) => href.replace(/\?.*/, '')),
      query: url.searchParams,
      within: guest?.visit.within,
      now: loaded.now,
    })
    const isTab = frame?.tabs.some(({ items }) => items.some(({ href }) => href.replace(/\?.*/, '') === url.pathname)) ?? false
    return {
      title: [
        shown?.heading,
        title,
        nameOf(around.site),
        shown && periodShown(spot.operation, { url: loaded.url, viewer: around.viewer, first: period }),
      ]
        .filter(each => each !== undefined && each !== '')
        .join(' · '),
      content: answer?.content ?? <PageBody loaded={loaded} app={app} result={result} isTab={isTab} againAfter={againAfter} />,
      status,
      frame,
      caller,
      againAfter,
      isReport: shown !== undefined && 'period' in spot.operation.input.properties,
      cookies:
        place.siteId !== null && shown && !guest
          ? [...rememberSite(app, c, place.siteId), ...lookedAt(app, c).noted(place.siteId), ...tabs.noted(url)]
          : tabs.noted(url),
    }
  }

  return {
    async show(operation, c) {
      const spot = spots.byId.get(operation.id)
      if (!spot) throw new Error(`${operation.id} has no page`)
      const url = new URL(c.req.url)
      const location = sentCondition(url) ?? viewOf(app.table, operation)?.options.mends?.(url)
      if (location !== undefined) return { location }
      return page({ spot, c, url }, await waitingAt(app, spot, c))
    },
    act: (operation, c) =>
      submit(app, {
        ways,
        operation,
        c,
        again: ({ spot, path }, url, sent) => page({ spot, c, url }, { sent, path }),
        async proposals({ spot, path }, url, sent) {
          const loaded = await loadPage(app, ways, { spot, c, url, path, sent })
          return 'refusal' in loaded ? {} : (loaded.doing?.proposals ?? {})
        },
      }),
    async guest(guest, c) {
      const found = await guestLook(app, guest, c)
      const url = new URL(c.req.url)
      const location = sentCondition(url) ?? (found && viewOf(app.table, found.spot.operation)?.options.mends?.(url))
      return location !== undefined ? { location } : found && page({ spot: found.spot, c, url: found.url }, { guest: found })
    },
    async file(guest, c) {
      const found = await guestLook(app, guest, c)
      const table = found && mayDownload(found.caller) ? csvTableOf(found.spot.operation) : undefined
      if (!found || !table) return undefined
      const { visit, spot, path, url, caller } = found
      const { operation } = spot
      const form = takeOptions(url.searchParams)
      const answer = await visit.ask(operation, path, decodeQuery(operation.input, url.searchParams))
      if (isRefusal(answer)) return { refusal: answer, caller }
      return { file: csvOf(table, contentOf(answer), form), name: csvName(operation, path) }
    },
    home: (caller, c) => homeFor(app, { ways, caller, c }),
  }
}
