/** Every operation of the table as a page: what it reads is shown, what it changes is a form. */
import type { TSchema } from '@sinclair/typebox'
import type { Answer, App, Refusal } from '../../runtime/app.ts'
import { isRefusal } from '../../runtime/app.ts'
import { cookieFor, cookieOf } from '../../runtime/authenticator.ts'
import type { Caller } from '../../runtime/caller.ts'
import type { ErrorBody } from '../../runtime/errors.ts'
import { isObject } from '../../runtime/json.ts'
import { limitFaults, type Within } from '../../runtime/limits.ts'
import type { Content, GuestPage } from '../../runtime/page.ts'
import type { NamedOperation } from '../../runtime/table.ts'
import { readForm } from '../http/body.ts'
import { addressOf, headerOf, requestId } from '../http/http.ts'
import { decodeQuery } from '../http/query.ts'
import { type AskList, choicesFor } from './choices.ts'
import type { FormContext } from './control.tsx'
import { Doing, doneWords, labelOf, Wrong } from './doing.tsx'
import { decodeForm } from './form-values.ts'
import {
  type Ask,
  containerOf,
  dataOf,
  type Frame,
  frameOf,
  homeOf,
  itemsBelow,
  type Surroundings,
  surroundings,
  viewKey,
} from './frame.ts'
import { ListView, nameOf, NarrowForm, Paging } from './list.tsx'
import type { PageAsk } from './pages.tsx'
import { contentOf, isOffered, knownIds, namesOf, parameterFor, paramsOf, toldElsewhere, toolbarOf, valuesFor } from './parts.ts'
import { Crumbs, Empty, Once } from './pieces.tsx'
import { isList, recordOf, type Spot, spotsOf, titleOf } from './places.ts'
import { RecordView } from './record.tsx'
import { Chips, Periods } from './views/toolbar.tsx'
import { views } from './views/index.ts'
import { openWays } from './ways.ts'
import { filled, withQuery } from './words.ts'

export interface ProjectedPage {
  readonly title: string
  readonly content: Content
  readonly status: number
  readonly frame: Frame
  readonly caller: Caller | undefined
  readonly againAfter?: number | undefined
  readonly cookies?: readonly string[]
}
export interface Onwards {
  readonly location: string
  readonly cookies?: readonly string[] | undefined
}
/** What was made of a request: a page, another address, or why there is neither. */
export type Made = ProjectedPage | Onwards | { readonly refusal: Refusal; readonly caller: Caller | undefined; readonly isWrite: boolean }

interface Sent {
  readonly operation: NamedOperation
  readonly values: Readonly<Record<string, unknown>>
  readonly error: ErrorBody['error']
  readonly status: number
}

export interface Projection {
  show(operation: NamedOperation, c: PageAsk): Promise<Made>
  act(operation: NamedOperation, c: PageAsk): Promise<Made>
  /** A page of a site for somebody who has no account; undefined where the token shows none at that address. */
  guest(guest: Guest, c: PageAsk): Promise<Made | undefined>
  /** Path that a person is sent to after signing in. */
  home(caller: Caller, c: PageAsk): Promise<string>
}

type Guest = GuestPage['guest']

/** How calls are made and what is around a page, where it is not a session's. */
interface Visit {
  readonly ask: Ask
  readonly around: Surroundings
  /** What of the inputs may be offered. */
  readonly within: Within | undefined
}

/** Parameters of pages themselves; no input of an operation is called so. */
const ours = ['do', 'done', 'of'] as const
const lastSite = 'last_site'
/** 400 days: browsers keep none longer. */
const lastSiteSeconds = 34_560_000

export function openProjection(app: App): Projection {
  const spots = spotsOf(app.table)
  const ways = openWays(app)

  const asker =
    (c: PageAsk, token?: string): Ask =>
    (operation, path, input = {}) =>
      app.call({
        operation,
        surface: 'pages',
        header: name => (token === undefined ? headerOf(c, name) : name === 'authorization' ? `Bearer ${token}` : undefined),
        ip: addressOf(c, app),
        id: requestId(c),
        path: Object.fromEntries(Object.keys(operation.pathInput).flatMap(name => (path[name] === undefined ? [] : [[name, path[name]]]))),
        input: async () => ({ ...input }),
      })

  async function page(
    spot: Spot,
    c: PageAsk,
    url: URL,
    path: Readonly<Record<string, string>>,
    { sent, visit }: { readonly sent?: Sent; readonly visit?: Visit } = {},
  ): Promise<Made> {
    const { operation } = spot
    const ask = visit?.ask ?? asker(c)
    const key = viewKey(operation)
    const view = Object.hasOwn(views, key) ? views[key] : undefined
    const ownNames = new Set<string>([...ours, ...(view?.own ?? [])])
    const query = new URLSearchParams([...url.searchParams].filter(([name, value]) => value !== '' && !ownNames.has(name)))
    const asked = decodeQuery(operation.input, query)
    const may = mayAsk(operation, asked, visit?.within)
    const answer = await ask(operation, path, {
      ...offeredOf(view?.asks?.(url.searchParams, name => may('panels', [name])) ?? {}, may),
      ...firstPeriod(operation, asked, may),
      ...asked,
    })
    if (isRefusal(answer) && answer.status !== 422) return { refusal: answer, caller: answer.caller, isWrite: false }
    const caller = answer.caller
    if (!caller) throw new Error(`${operation.id} has a page, and nobody looks at it`) // its access is not public
    const place = answer.place ?? { workspaceId: undefined, siteId: null }
    const around =
      visit?.around ?? (await surroundings(app, ask, { siteId: place.siteId, workspaceId: place.workspaceId ?? caller.workspaceId }))
    const frame = frameOf(app, caller, around, url.pathname)
    const known = knownIds(operation, path, place)
    const askList: AskList = async (list, at, input) => {
      const listed = app.allows(caller, list) ? await ask(list, at, input) : undefined
      const data = listed && !isRefusal(listed) && isObject(listed.body) ? listed.body.data : undefined
      return Array.isArray(data) ? (data as unknown[]) : undefined
    }
    const contextOf = async (of: NamedOperation, error: ErrorBody['error'] | undefined): Promise<FormContext> => ({
      faults: error?.details ?? [],
      choices: await choicesFor(app.table, of.input, known, askList),
      secrets: of.secrets,
      timezone: around.viewer.timezone,
    })

    const { data, meta } = contentOf(answer)
    const wrong = isRefusal(answer) ? answer.body.error : undefined
    const record = isObject(data) ? data : undefined
    const rows = Array.isArray(data) ? data.filter(isObject) : []
    const name = isList(operation) || operation.answers.kind === 'report' ? undefined : nameOf(record)
    const title = name ?? titleOf(operation)
    const offered = (each: NamedOperation, to: Readonly<Record<string, unknown>> | undefined): boolean =>
      app.allows(caller, each) && isOffered(each, to)
    const does = spot.does
      .filter(each => offered(each, isList(operation) ? undefined : record))
      .toSorted((a, b) => Number(a.effect === 'delete') - Number(b.effect === 'delete'))
    const rowOf = (each: NamedOperation): Readonly<Record<string, unknown>> | undefined =>
      rows.find(({ id }) => id === (sent ? path : paramsOf(url))[parameterFor(spot, each)])
    const chosen =
      sent?.operation ??
      [...does, ...spot.rowDoes.map(row => row.operation).filter(each => offered(each, rowOf(each)))].find(
        ({ id }) => id === url.searchParams.get('do'),
      )

    const named = await namesOf(app.table, rows, place.siteId, known, askList)
    const inToolbar = toolbarOf(operation)
    const isAsking = wrong !== undefined && [...query].length === 0
    const shown =
      view && !wrong
        ? await view.show({
            schema: operation.output,
            data: record ?? { rows },
            meta,
            url,
            viewer: around.viewer,
            site: around.site,
            baseUrl: app.config.BASE_URL,
            hrefOf: row => ways.hrefOf(spot, path, place, row, caller),
            takes: name => Object.hasOwn(operation.input.properties, name),
            ...beside(path, ask, caller),
            may: name => may('panels', [name]),
          })
        : undefined
    const isNarrowed = Object.keys(operation.input.properties).length > 0 && (!shown || isList(operation))
    const narrow = isNarrowed ? { ...(await contextOf(operation, sent ? undefined : wrong)), isQuery: true as const } : undefined
    const done = app.table.operations.get(url.searchParams.get('done') ?? '')

    const content = (
      <>
        <header class="head">
          <div>
            <Crumbs ways={ways.above(spot, url, path, place)} />
            <h1>{title}</h1>
          </div>
          <div class="acts">
            {does.map(each => (
              <a
                class={each.effect === 'create' ? 'button' : each.effect === 'delete' ? 'button plain danger' : 'button plain'}
                href={withQuery(url, { do: each.id, done: undefined })}
              >
                {labelOf(each)}
              </a>
            ))}
          </div>
        </header>
        {done && !sent && (
          <p class="notice" role="status">
            {doneWords(done, recordOf(done))}
          </p>
        )}
        {chosen && (
          <Doing
            operation={chosen}
            action={filled(chosen.path, { ...path, ...(sent ? {} : paramsOf(url)) })}
            values={sent ? sent.values : valuesFor(chosen, isList(operation) ? rowOf(chosen) : record, url)}
            form={await contextOf(chosen, sent?.error)}
            error={sent?.error}
            subject={isList(operation) ? nameOf(rowOf(chosen)) : name}
            back={withQuery(
              url,
              Object.fromEntries([...ours, ...spot.rowDoes.map(({ parameter }) => parameter)].map(each => [each, undefined])),
            )}
          />
        )}
        {inToolbar.length > 0 && !shown?.againAfter && (
          <div class="toolbar">
            <Chips url={url} isTaken={inToolbar.includes('filters')} />
            <Periods
              operation={operation}
              url={url}
              viewer={around.viewer}
              isCompared={Object.hasOwn(view?.asks?.(url.searchParams, () => true) ?? {}, 'compare') && may('compare', 'previous_period')}
              may={may}
              first={firstPeriod(operation, {}, may).period}
            />
          </div>
        )}
        {wrong && !isAsking && <Wrong error={wrong} names={new Set(Object.keys(operation.input.properties))} />}
        {isAsking && <p class="notice">Choose what to look at.</p>}
        {narrow && (
          <NarrowForm operation={operation} url={url} values={asked} form={narrow} without={inToolbar} isOpen={wrong !== undefined} />
        )}
        {shown && shown.content}
        {shown && isList(operation) && <Paging url={url} meta={meta} viewer={around.viewer} />}
        {!shown &&
          !wrong &&
          (isList(operation) ? (
            <>
              <ListView
                operation={operation}
                rows={rows}
                viewer={around.viewer}
                named={named}
                hrefOf={row => ways.hrefOf(spot, path, place, row, caller)}
                actionsOf={row =>
                  spot.rowDoes
                    .filter(each => typeof row.id === 'string' && offered(each.operation, row))
                    .map(each => ({
                      label: labelOf(each.operation),
                      href: withQuery(url, { do: each.operation.id, [each.parameter]: String(row.id), done: undefined }),
                    }))
                }
                empty={<Empty operation={operation} does={does} url={url} isNarrowed={[...query].length > 0} />}
              />
              <Paging url={url} meta={meta} viewer={around.viewer} />
            </>
          ) : (
            <div class="card">
              {record ? (
                <RecordView
                  schema={operation.output}
                  data={record}
                  viewer={around.viewer}
                  named={named}
                  without={toldElsewhere(operation, record, place)}
                />
              ) : null}
            </div>
          ))}
        {spot.below.length > 0 && (
          <ul class="below">
            {spot.below
              .filter(each => app.allows(caller, each))
              .map(each => (
                <li>
                  <a href={`${url.pathname}/${each.path.split('/').at(-1) ?? ''}`}>{titleOf(each)}</a>
                </li>
              ))}
          </ul>
        )}
      </>
    )
    const remembers =
      place.siteId !== null && shown && !visit ? [cookieFor(lastSite, place.siteId, lastSiteSeconds, app.config.BASE_URL)] : []
    return {
      title: [title, nameOf(around.site)].filter(each => each !== undefined && each !== '').join(' · '),
      content,
      status: sent?.status ?? answer.status,
      frame,
      caller,
      againAfter: shown?.againAfter,
      cookies: remembers,
    }
  }

  /** What a view finds beside what it shows. */
  function beside(path: Readonly<Record<string, string>>, ask: Ask, caller: Caller) {
    const found = (record: string) =>
      [...spots.byId.values()].find(({ operation }) => recordOf(operation) === record && !isList(operation))?.operation
    return {
      async ask(record: string, input: Readonly<Record<string, unknown>>, other?: Readonly<Record<string, string>>) {
        const operation = found(record)
        return operation && dataOf(await ask(operation, other ?? path, input))
      },
      pathOf(record: string, parameters: Readonly<Record<string, string>> = {}) {
        const operation = found(record)
        return operation && app.allows(caller, operation) ? filled(operation.path, { ...path, ...parameters }) : undefined
      },
    }
  }

  async function act(operation: NamedOperation, c: PageAsk): Promise<Made> {
    const spot = spots.spotOf.get(operation.id)
    if (!spot) throw new Error(`${operation.id} is a form of no page`)
    const path = c.req.param()
    const ask = asker(c)
    const typed = await readForm(c.req.raw, headerOf(c, 'content-length'), headerOf(c, 'content-type'))
    const needsZone = Object.values<TSchema>(operation.input.properties).some(schema => JSON.stringify(schema).includes('date-time'))
    const { viewer } = needsZone
      ? await surroundings(app, ask, { siteId: path.site_id ?? null, workspaceId: undefined })
      : { viewer: { timezone: 'UTC' } }
    const meaning = {
      changes: operation.method === 'PATCH',
      shown: new Set(Object.keys((operation.output.properties as object | undefined) ?? {})),
      timezone: viewer.timezone,
    }
    const values = decodeForm(operation.input, typed, meaning)
    const answer = await ask(operation, path, values)
    const url = new URL(c.req.url)
    url.pathname = filled(spot.operation.path, path)
    url.search = ''
    if (!isRefusal(answer)) {
      const { data } = contentOf(answer)
      const record = isObject(data) ? data : {}
      const location = ways.after(spot, operation, path, record, answer.place ?? { workspaceId: undefined, siteId: null }, url)
      if (operation.secrets.some(name => typeof record[name] === 'string')) return shownOnce(operation, record, location, answer, c, ask)
      return { location: `${location}${location.includes('?') ? '&' : '?'}done=${operation.id}`, cookies: answer.cookies }
    }
    const isFixable = answer.status === 422 || answer.status === 409 || answer.status === 413
    if (!isFixable) return { refusal: answer, caller: answer.caller, isWrite: true }
    const kept = Object.fromEntries(Object.entries(values).filter(([name]) => !operation.secrets.includes(name)))
    return page(spot, c, url, path, { sent: { operation, values: kept, error: answer.body.error, status: answer.status } })
  }

  /** Secrets are shown in the answer alone. */
  async function shownOnce(
    operation: NamedOperation,
    record: Readonly<Record<string, unknown>>,
    location: string,
    answer: Answer,
    c: PageAsk,
    ask: Ask,
  ): Promise<Made> {
    const { caller, place } = answer
    if (!caller) throw new Error(`${operation.id} was called by nobody`)
    const around = await surroundings(app, ask, { siteId: place?.siteId ?? null, workspaceId: place?.workspaceId ?? caller.workspaceId })
    const content = <Once operation={operation} record={record} onwards={location} viewer={around.viewer} />
    return {
      title: operation.summary,
      content,
      status: answer.status,
      frame: frameOf(app, caller, around, new URL(c.req.url).pathname),
      caller,
      ...(answer.cookies && { cookies: answer.cookies }),
    }
  }

  return {
    show(operation, c) {
      const spot = spots.byId.get(operation.id)
      if (!spot) throw new Error(`${operation.id} has no page`)
      return page(spot, c, new URL(c.req.url), c.req.param())
    },
    act,
    async guest({ token, site, rest, kept }, c) {
      const ask = asker(c, token)
      const { caller } = await app.identify({
        header: name => (name === 'authorization' ? `Bearer ${token}` : undefined),
        ip: addressOf(c, app),
        surface: 'pages',
      })
      const container = containerOf(app, 'site')
      const [first] = container ? itemsBelow(app, container, caller) : []
      if (!container || !first) return undefined
      const root = container.path.replace(/\{\w+\}/, site.id)
      const pathname = rest === '' ? first.path.replace(/\{\w+\}/, site.id) : `${root}/${rest}`
      for (const spot of spots.byId.values()) {
        const path = app.allows(caller, spot.operation) ? pathIn(spot.operation, pathname) : undefined
        if (!path) continue
        const url = new URL(c.req.url)
        url.pathname = pathname
        for (const name of Object.keys(kept)) url.searchParams.delete(name)
        const around = {
          site,
          workspace: undefined,
          account: undefined,
          viewer: { locale: 'en', timezone: site.timezone, currency: site.currency },
        }
        const within = caller.limits && { ...caller.limits, now: app.now(), zone: site.timezone }
        return page(spot, c, url, path, { visit: { ask, around, within } })
      }
      return undefined
    },
    async home(caller, c) {
      const all = [...spots.byId.values()].map(({ operation }) => operation)
      const container = containerOf(app, 'workspace')
      const site = cookieOf({ header: name => headerOf(c, name) }, lastSite, app.config.BASE_URL)
      const { account, ...around } = await surroundings(app, asker(c), { siteId: site ?? null, workspaceId: undefined })
      if (account?.default_landing === 'last_site' && around.site) {
        const { within } = frameOf(app, caller, { account, ...around }, '')
        if (within) return within.href
      }
      if (container && caller.workspaceId !== '') {
        const sites = ways.listOfContainers(container)
        if (sites && app.allows(caller, sites)) return filled(sites.path, { workspace_id: caller.workspaceId })
        return homeOf(app, container, caller, caller.workspaceId)
      }
      return all.find(each => isList(each) && each.on.length === 0 && each.access === 'member')?.path ?? '/account'
    },
  }
}

type May = (name: string, value: unknown) => boolean

/** Whether an input may have a value, beside what is asked. */
function mayAsk({ input, pathInput }: NamedOperation, asked: Readonly<Record<string, unknown>>, within: Within | undefined): May {
  if (!within) return () => true
  const fields = { ...pathInput, ...input.properties }
  const period = input.properties.period?.default as unknown
  return (name, value) => {
    const beside = { ...(period !== undefined && { period }), ...asked, [name]: value }
    const faults = limitFaults(fields, beside, within)
    return !faults.some(({ pointer }) => pointer === `/${name}` || pointer.startsWith(`/${name}/`))
  }
}

/** What a view asks for, as far as it may. */
const offeredOf = (asks: Readonly<Record<string, unknown>>, may: May): Record<string, unknown> =>
  Object.fromEntries(Object.entries(asks).filter(([name, value]) => may(name, value)))

/** Where the usual period reaches too far back, the longest that does not. */
function firstPeriod({ input }: NamedOperation, asked: Readonly<Record<string, unknown>>, may: May): { period?: string } {
  const schema: TSchema | undefined = input.properties.period
  if (!schema || asked.period !== undefined || may('period', schema.default)) return {}
  const period = ['28d', '14d', '7d', 'today'].find(each => (schema.enum as unknown[]).includes(each) && may('period', each))
  return period === undefined ? {} : { period }
}

/** The parameters of a path that an operation has; undefined for another path. */
function pathIn({ path }: NamedOperation, pathname: string): Record<string, string> | undefined {
  const [pattern, parts] = [path.split('/'), pathname.split('/')]
  if (pattern.length !== parts.length) return undefined
  const found: Record<string, string> = {}
  for (const [i, part] of pattern.entries()) {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? []
    if (name !== undefined) found[name] = decoded(parts[i] ?? '')
    else if (part !== parts[i]) return undefined
  }
  return found
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
