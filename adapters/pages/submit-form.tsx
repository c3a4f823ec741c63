/** Handles a sent form: redirects to an address that shows the outcome, or shows the form again with its faults. */
import type { TSchema } from '@sinclair/typebox'
import { isRefusal } from '../../runtime/table/answer.ts'
import type { App } from '../../runtime/app.ts'
import { changeSince, drawnField, drawnIn } from '../../runtime/call/form-digests.ts'
import { fail } from '../../runtime/table/errors.ts'
import { isObject } from '../../runtime/values/json.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { ownPath } from '../../runtime/table/page.ts'
import { readForm } from '../http/body.ts'
import { addressOf, headerOf } from '../http/web.ts'
import { formOf } from './area-views.ts'
import { askAs, type PageAsk } from './call-operation.ts'
import { shownBy } from '../../runtime/ui/control-values.ts'
import { decodeForm, emptiedIn } from './form-values.ts'
import { type Draft, drafted, draftIn, faultsWhile, proposedIn } from './drafts.ts'
import { type Ask, surroundings } from './frame.ts'
import type { Viewer } from '../../runtime/ui/format.ts'
import type { PageResponse, SubmittedForm } from './page-response.ts'
import { contentOf, isBlind } from './answer-facts.ts'
import { type Spot, spotsOf } from './page-tree.ts'
import { carriedIn } from '../../runtime/ui/links.ts'
import { keep, keptAt, keptParameter, waits } from './keep-form.ts'
import { linkWithinSite } from './passed-on.ts'
import { withResult } from './results.ts'
import { pageField, sectionField } from './operation-form.tsx'
import { savedId } from './settings-forms.tsx'
import { send } from './send-once.ts'
import type { Ways } from './record-links.ts'
import { filled, withQuery } from '../../runtime/ui/words.ts'

const nowhere = { workspaceId: undefined, siteId: null, id: null } as const

interface Submit {
  readonly ways: Ways
  readonly operation: NamedOperation
  readonly c: PageAsk
  readonly again: (at: FormPage, url: URL, sent: SubmittedForm) => Promise<PageResponse>
  /** The texts that the form proposes for what is typed. */
  readonly proposals: (at: FormPage, url: URL, sent: SubmittedForm) => Promise<Readonly<Record<string, string>>>
}

/** @param again the page that has the form */
export async function submit(app: App, { ways, operation, c, again, proposals }: Submit): Promise<PageResponse> {
  const path = c.req.param()
  const typed = await readForm(c)
  const at = pageOf(app, operation, typed, path)
  if (!at) throw new Error(`${operation.id} is a form of no page`)
  const { spot } = at
  const section = typed.get(sectionField) ?? undefined
  const url = new URL(c.req.url)
  url.pathname = filled(spot.operation.path, at.path)
  url.search = String(at.carried)
  const draft = draftIn(typed)
  if (draft) return again(at, url, await draftOf(app, { operation, c, path, typed, draft }))
  const { values: meantValues, change, drawn } = await decodedInput(app, { operation, c, path, typed })
  const values = { ...meantValues, ...(await renewed(app, { operation, c, path, typed, proposals: sent => proposals(at, url, sent) })) }
  const input = formOf(app.table, operation)?.options.sent?.(values) ?? values
  const { answer, key } = await send(app, { operation, c, typed, input, precondition: change?.precondition })
  if (isRefusal(answer)) {
    const isFixable = answer.status === 422 || answer.status === 409 || answer.status === 413
    if (!isFixable) {
      const kept = waits(answer) ? await keep(app, { operation, c, typed, caller: answer.caller }) : {}
      const row = spot.rowDoes.find(each => each.operation === operation)?.parameter
      const next = new URLSearchParams({
        ...(section === undefined && { do: operation.id }),
        ...(row !== undefined && { [row]: path[row] ?? '' }),
        ...kept,
      })
      return { refusal: answer, caller: answer.caller, next: withQuery(url, Object.fromEntries(next)) }
    }
    const kept = Object.fromEntries(Object.entries(values).filter(([name]) => !operation.secrets.includes(name)))
    return again(at, url, {
      operation,
      values: kept,
      error: answer.body.error,
      status: answer.status,
      section,
      proposed: proposedIn(operation, typed),
      ...(change && { drawn }),
    })
  }
  const { data } = contentOf(answer)
  const record = isObject(data) ? data : {}
  const next = ownPath(typed.get('_back'))
  if (next !== undefined) return { location: withResult(withId(next, record.id), operation, key), cookies: answer.cookies }
  const place = answer.place ?? nowhere
  const after = ways.after(spot, operation, { path, record, place, url, caller: answer.caller })
  const location = linkWithinSite(after, { siteId: place.siteId, url })
  const fragment = section === undefined ? '' : `#${savedId(operation, section)}`
  return { location: withResult(location + fragment, operation, key), cookies: answer.cookies }
}

/** The page that shows a form, with the parameters of its path and those that go along from page to page. */
export interface FormPage {
  readonly spot: Spot
  readonly path: Readonly<Record<string, string>>
  readonly carried: URLSearchParams
}

/** The page that the form names (`pageNamed`), if all parameters of its path are known; otherwise the page of the operation. */
function pageOf(app: App, operation: NamedOperation, typed: URLSearchParams, path: Readonly<Record<string, string>>): FormPage | undefined {
  const { byId, spotOf } = spotsOf(app.table)
  const [id = '', query] = (typed.get(pageField) ?? '').split('?')
  const named = byId.get(id)
  const parameters = new URLSearchParams(query)
  const carried = carriedIn(parameters)
  const given = { ...Object.fromEntries(parameters), ...path }
  if (named && Object.keys(named.operation.pathInput).every(name => given[name])) return { spot: named, path: given, carried }
  const spot = spotOf.get(operation.id)
  return spot && { spot, path, carried }
}

interface DraftOf extends Meant {
  readonly draft: Draft
}

/** @throws Failure `permission_denied` for a caller who may not send the form */
async function draftOf(app: App, { draft, ...given }: DraftOf): Promise<SubmittedForm> {
  const { operation, c, path, typed } = given
  const caller = await app.visitor({ header: name => headerOf(c, name), ip: addressOf(c, app), surface: 'pages' })
  if (caller && !app.allows(caller, operation)) fail('permission_denied')
  const { values: meantValues, change, drawn } = await decodedInput(app, { operation, c, path, typed, keepsBlanks: draft.does !== 'check' })
  const again = begunAnew(formOf(app.table, operation)?.options.anew, typed)
  const values = Object.fromEntries(Object.entries(drafted(meantValues, draft)).filter(([name]) => !again.has(name)))
  const meaning = formOf(app.table, operation)?.options.sent?.(values) ?? values
  const faults = draft.does === 'check' ? faultsWhile(operation, meaning) : []
  const pointers = [...typed.keys()].filter(name => name.startsWith('/')).map(name => name.split('/')[1] ?? '')
  return {
    operation,
    values,
    error: undefined,
    status: 200,
    proposed: proposedIn(operation, typed),
    draft: { typed: new Set(pointers.filter(name => !again.has(name))), faults: faults.map(fault => ({ in: 'body', ...fault })) },
    ...(change && { drawn }),
  }
}

/** Fields whose values belonged to the kind that was chosen before. */
function begunAnew(anew: Readonly<Record<string, readonly string[]>> = {}, typed: URLSearchParams): ReadonlySet<string> {
  const changed = Object.entries(anew).filter(([kind]) => typed.has(`_was/${kind}`) && typed.get(`_was/${kind}`) !== typed.get(`/${kind}`))
  return new Set(changed.flatMap(([, names]) => names))
}

interface Renewed extends Meant {
  readonly proposals: (sent: SubmittedForm) => Promise<Readonly<Record<string, string>>>
}

/** A proposed text that the user has not changed says what the form says now, and not what it said when it was drawn. */
async function renewed(app: App, { proposals, ...given }: Renewed): Promise<Record<string, string>> {
  const { operation, typed } = given
  const before = Object.entries(proposedIn(operation, typed)).filter(
    ([name, text]) => text !== '' && [text, ''].includes(typed.get(`/${name}`) ?? ''),
  )
  if (before.length === 0) return {}
  const now = await proposals(await draftOf(app, { ...given, draft: { does: 'show', pointer: '' } }))
  return Object.fromEntries(before.flatMap(([name]) => (now[name] === undefined || now[name] === '' ? [] : [[name, now[name]]])))
}
/** The address that the form leads back to, with the id of the new record for `{id}`. */
const withId = (path: string, id: unknown): string => (typeof id === 'string' ? path.replace(/%7Bid%7D/gi, encodeURIComponent(id)) : path)

interface Meant {
  readonly operation: NamedOperation
  readonly c: PageAsk
  readonly path: Readonly<Record<string, string>>
  readonly typed: URLSearchParams
  readonly keepsBlanks?: boolean
}

/** Decodes the fields. A change contains only the values that differ from the drawn ones. */
async function decodedInput(app: App, { operation, c, path, typed, keepsBlanks = false }: Meant) {
  const viewer = goesByViewer(operation) ? await viewerAt(app, askAs(app, { c }), path) : { timezone: 'UTC', currency: 'USD' }
  const isEmptyKept = isBlind(app.table, operation)
  const fields = decodeForm(operation.input, typed, {
    changes: operation.method === 'PATCH',
    shown: new Set(isEmptyKept ? [] : Object.keys((operation.output.properties as object | undefined) ?? {})),
    ...viewer,
    keepsBlanks,
  })
  const decoded = isEmptyKept ? { ...fields, ...emptiedIn(operation.input, typed) } : fields
  const drawn = drawnIn(typed.get(drawnField))
  const change = drawn.size > 0 ? changeSince({ drawn, values: decoded, typed, shown: shownBy(operation, viewer.timezone) }) : undefined
  const values = change?.changed ?? decoded
  return { values, change, drawn }
}

/** Returns a form that waited for a sign-in, as it was typed; undefined if the address names no form of this page. */
export async function waitingAt(
  app: App,
  spot: Spot,
  c: PageAsk,
): Promise<{ sent: SubmittedForm; path: Readonly<Record<string, string>> } | undefined> {
  const url = new URL(c.req.url)
  if (!url.searchParams.has(keptParameter)) return undefined
  const caller = await app.visitor({ header: name => headerOf(c, name), ip: addressOf(c, app), surface: 'pages' })
  const kept = await keptAt(app, url, caller)
  const operation = kept && app.table.operations.get(kept.operation)
  if (!operation) return undefined
  // The parameters of this page take precedence over the kept ones.
  const path = { ...kept.path, ...c.req.param() }
  if (pageOf(app, operation, kept.fields, path)?.spot !== spot) return undefined
  const { values, change, drawn } = await decodedInput(app, { operation, c, path, typed: kept.fields })
  const section = kept.fields.get(sectionField) ?? undefined
  return { sent: { operation, values, error: undefined, status: 200, section, ...(change && { drawn }) }, path }
}

/** Whether decoding depends on the viewer: times are typed in the viewer's time zone, amounts in the site's currency. */
const goesByViewer = ({ input }: NamedOperation): boolean =>
  Object.values<TSchema>(input.properties).some(schema => /"(date-time|minor_units)"/.test(JSON.stringify(schema)))

async function viewerAt(app: App, ask: Ask, path: Readonly<Record<string, string>>): Promise<Viewer> {
  const { viewer } = await surroundings(app, ask, { siteId: path.site_id ?? null, workspaceId: undefined })
  return viewer
}
