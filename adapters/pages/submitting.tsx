/** The answer to a form that is sent: the record, the form again with its faults, or a secret that is shown once. */
import type { TSchema } from '@sinclair/typebox'
import { type Answer, isRefusal } from '../../runtime/answer.ts'
import type { App } from '../../runtime/app.ts'
import { changeSince, drawnField, drawnIn } from '../../runtime/drawn.ts'
import { isObject } from '../../runtime/json.ts'
import type { NamedOperation } from '../../runtime/table.ts'
import { readForm } from '../http/body.ts'
import { askAs, beside, type PageAsk } from './asking.ts'
import { labelOf } from './doing.tsx'
import { shownBy } from './drawn.ts'
import { decodeForm } from './form-values.ts'
import { type Ask, frameOf, surroundings } from './frame.ts'
import type { Viewer } from './format.ts'
import { nameOf } from './list.tsx'
import { inLanguage, say } from './languages/index.ts'
import type { Made, Sent } from './made.ts'
import { contentOf } from './parts.ts'
import { AnswerPage, Once } from './pieces.tsx'
import { recordOf, type Spot, spotsOf } from './places.ts'
import { views } from './views/index.ts'
import type { View } from './views/view.ts'
import type { Ways } from './ways.ts'
import { filled } from './words.ts'

const nowhere = { workspaceId: undefined, siteId: null, id: null } as const

/** @param again the page that has the form */
export async function submit(
  app: App,
  ways: Ways,
  operation: NamedOperation,
  c: PageAsk,
  again: (spot: Spot, url: URL, sent: Sent) => Promise<Made>,
): Promise<Made> {
  const spot = spotsOf(app.table).spotOf.get(operation.id)
  if (!spot) throw new Error(`${operation.id} is a form of no page`)
  const path = c.req.param()
  const ask = askAs(app, c)
  const typed = await readForm(c)
  const viewer = goesByViewer(operation) ? await viewerAt(app, ask, path) : { timezone: 'UTC', currency: 'USD' }
  const decoded = decodeForm(operation.input, typed, {
    changes: operation.method === 'PATCH',
    shown: new Set(Object.keys((operation.output.properties as object | undefined) ?? {})),
    ...viewer,
  })
  const drawn = drawnIn(typed.get(drawnField))
  const change = drawn.size > 0 ? changeSince(drawn, decoded, typed, shownBy(operation, viewer.timezone)) : undefined
  const values = change?.changed ?? decoded
  const answer = await askAs(app, c, undefined, undefined, change?.precondition)(operation, path, values)
  const url = new URL(c.req.url)
  url.pathname = filled(spot.operation.path, path)
  url.search = ''
  if (isRefusal(answer)) {
    const isFixable = answer.status === 422 || answer.status === 409 || answer.status === 413
    if (!isFixable) return { refusal: answer, caller: answer.caller, isWrite: true }
    const kept = Object.fromEntries(Object.entries(values).filter(([name]) => !operation.secrets.includes(name)))
    return again(spot, url, { operation, values: kept, error: answer.body.error, status: answer.status, ...(change && { drawn }) })
  }
  const { data } = contentOf(answer)
  const record = isObject(data) ? data : {}
  const askAfter = askAs(app, c) // what was found before is not what is there now
  const elsewhere = operation.onward === undefined ? undefined : record[operation.onward]
  if (typeof elsewhere === 'string') return goingOn(app, operation, elsewhere, answer, c, askAfter)
  const location = ways.after(spot, operation, { path, record, place: answer.place ?? nowhere, url, caller: answer.caller })
  const kept = views[recordOf(operation) ?? '']?.keeps ?? []
  if (operation.secrets.some(name => typeof record[name] === 'string' && !kept.includes(name)))
    return shownOnce(app, operation, record, location, answer, c, askAfter)
  const view = viewOfAnswer(operation, spot)
  if (view) return shownAsAnswer(app, operation, view, { record, location, answer, url, path }, askAfter)
  return { location: `${location}${location.includes('?') ? '&' : '?'}done=${operation.id}`, cookies: answer.cookies }
}

/** An answer that is what was asked for, as it is on no page: what a check found. */
const viewOfAnswer = (operation: NamedOperation, spot: Spot): View | undefined => {
  const record = recordOf(operation)
  return record !== recordOf(spot.operation) && Object.hasOwn(views, record ?? '') ? views[record ?? ''] : undefined
}

interface Answered {
  readonly record: Readonly<Record<string, unknown>>
  readonly location: string
  readonly answer: Answer
  readonly url: URL
  readonly path: Readonly<Record<string, string>>
}

async function shownAsAnswer(
  app: App,
  operation: NamedOperation,
  view: View,
  { record, location, answer: { caller, place = nowhere, status, cookies }, url, path }: Answered,
  ask: Ask,
): Promise<Made> {
  if (!caller) throw new Error(`${operation.id} was called by nobody`)
  const around = await surroundings(app, ask, { siteId: place.siteId, workspaceId: place.workspaceId ?? caller.workspaceId })
  const { viewer, site } = around
  const shown = await view.show({
    schema: operation.output,
    data: record,
    meta: {},
    url,
    viewer,
    site,
    now: app.now(),
    lookedBefore: () => undefined,
    baseUrl: app.config.BASE_URL,
    hrefOf: () => undefined,
    actionsOf: () => [],
    does: [],
    choicesOf: async () => new Map(),
    names: async () => new Map(),
    summaryOf: id => inLanguage(viewer, app.table.operations.get(id)?.summary ?? '') || undefined,
    inputOf: () => undefined,
    takes: () => false,
    may: () => true,
    ...beside(app, caller, path, ask),
  })
  const title = labelOf(operation, viewer)
  return {
    title: [title, nameOf(site)].filter(each => each !== undefined).join(' · '),
    content: <AnswerPage title={title} again={`${location}?do=${operation.id}`} back={location} viewer={viewer} content={shown?.content} />,
    status,
    frame: frameOf(app, caller, around, url.pathname),
    caller,
    ...(cookies && { cookies }),
  }
}

/** Times are typed in the zone of the viewer, and amounts in the currency of the site. */
const goesByViewer = ({ input }: NamedOperation): boolean =>
  Object.values<TSchema>(input.properties).some(schema => /"(date-time|minor_units)"/.test(JSON.stringify(schema)))

async function viewerAt(app: App, ask: Ask, path: Readonly<Record<string, string>>): Promise<Viewer> {
  const { viewer } = await surroundings(app, ask, { siteId: path.site_id ?? null, workspaceId: undefined })
  return viewer
}

/** To the page of another service. A redirect would not do: the policy of the page lets its forms lead to no other origin. */
async function goingOn(
  app: App,
  operation: NamedOperation,
  url: string,
  { caller, place = nowhere, status, cookies }: Answer,
  c: PageAsk,
  ask: Ask,
): Promise<Made> {
  if (!caller) throw new Error(`${operation.id} was called by nobody`)
  const around = await surroundings(app, ask, { siteId: place.siteId, workspaceId: place.workspaceId ?? caller.workspaceId })
  const title = say(around.viewer, 'going_on')
  return {
    title,
    content: (
      <section class="card">
        <meta http-equiv="refresh" content={`0;url=${url}`} />
        <h1>{title}</h1>
        <p>
          <a href={url} rel="noreferrer">
            {say(around.viewer, 'continue_to', { host: new URL(url).host })}
          </a>
        </p>
      </section>
    ),
    status,
    frame: frameOf(app, caller, around, new URL(c.req.url).pathname),
    caller,
    ...(cookies && { cookies }),
  }
}

/** Secrets are shown in the answer alone. */
async function shownOnce(
  app: App,
  operation: NamedOperation,
  record: Readonly<Record<string, unknown>>,
  location: string,
  { caller, place = nowhere, status, cookies }: Answer,
  c: PageAsk,
  ask: Ask,
): Promise<Made> {
  if (!caller) throw new Error(`${operation.id} was called by nobody`)
  const around = await surroundings(app, ask, { siteId: place.siteId, workspaceId: place.workspaceId ?? caller.workspaceId })
  return {
    title: inLanguage(around.viewer, operation.summary),
    content: <Once operation={operation} record={record} onwards={location} viewer={around.viewer} />,
    status,
    frame: frameOf(app, caller, around, new URL(c.req.url).pathname),
    caller,
    ...(cookies && { cookies }),
  }
}
