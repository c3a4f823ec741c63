/** What a form that is sent comes to: the record, the form again with its faults, or a secret that is shown once. */
import type { TSchema } from '@sinclair/typebox'
import { type Answer, type App, isRefusal } from '../../runtime/app.ts'
import { isObject } from '../../runtime/json.ts'
import type { NamedOperation } from '../../runtime/table.ts'
import { readForm } from '../http/body.ts'
import { headerOf } from '../http/http.ts'
import { askAs } from './asking.ts'
import { decodeForm } from './form-values.ts'
import { type Ask, frameOf, surroundings } from './frame.ts'
import type { Made, Sent } from './made.ts'
import type { PageAsk } from './pages.tsx'
import { contentOf } from './parts.ts'
import { Once } from './pieces.tsx'
import { type Spot, spotsOf } from './places.ts'
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
  const typed = await readForm(c.req.raw, headerOf(c, 'content-length'), headerOf(c, 'content-type'))
  const values = decodeForm(operation.input, typed, {
    changes: operation.method === 'PATCH',
    shown: new Set(Object.keys((operation.output.properties as object | undefined) ?? {})),
    timezone: takesTimes(operation) ? await timezoneAt(app, ask, path) : 'UTC',
  })
  const answer = await ask(operation, path, values)
  const url = new URL(c.req.url)
  url.pathname = filled(spot.operation.path, path)
  url.search = ''
  if (isRefusal(answer)) {
    const isFixable = answer.status === 422 || answer.status === 409 || answer.status === 413
    if (!isFixable) return { refusal: answer, caller: answer.caller, isWrite: true }
    const kept = Object.fromEntries(Object.entries(values).filter(([name]) => !operation.secrets.includes(name)))
    return again(spot, url, { operation, values: kept, error: answer.body.error, status: answer.status })
  }
  const { data } = contentOf(answer)
  const record = isObject(data) ? data : {}
  const location = ways.after(spot, operation, path, record, answer.place ?? nowhere, url)
  if (operation.secrets.some(name => typeof record[name] === 'string')) return shownOnce(app, operation, record, location, answer, c, ask)
  return { location: `${location}${location.includes('?') ? '&' : '?'}done=${operation.id}`, cookies: answer.cookies }
}

const takesTimes = ({ input }: NamedOperation): boolean =>
  Object.values<TSchema>(input.properties).some(schema => JSON.stringify(schema).includes('date-time'))

async function timezoneAt(app: App, ask: Ask, path: Readonly<Record<string, string>>): Promise<string> {
  const { viewer } = await surroundings(app, ask, { siteId: path.site_id ?? null, workspaceId: undefined })
  return viewer.timezone
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
    title: operation.summary,
    content: <Once operation={operation} record={record} onwards={location} viewer={around.viewer} />,
    status,
    frame: frameOf(app, caller, around, new URL(c.req.url).pathname),
    caller,
    ...(cookies && { cookies }),
  }
}
