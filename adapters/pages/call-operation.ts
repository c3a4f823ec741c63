/** How pages call operations: as whoever looks at them. */
import type { Context } from 'hono'
import { isRefusal } from '../../runtime/table/answer.ts'
import type { App } from '../../runtime/app.ts'
import type { Caller } from '../../runtime/table/caller.ts'
import { type Together, together } from '../../runtime/call/shared-reads.ts'
import { Failure } from '../../runtime/table/errors.ts'
import { isObject } from '../../runtime/values/json.ts'
import { isEnvelope } from '../../runtime/table/answer-kinds.ts'
import type { PageRequest } from '../../runtime/table/page.ts'
import type { Precondition } from '../../runtime/table/record-versions.ts'
import type { Table } from '../../runtime/table/table.ts'
import { addressOf, type Env, headerOf, requestId } from '../http/web.ts'
import type { AskList } from './choices.ts'
import { type Ask, containerOf, itemsBelow } from './frame.ts'
import { contentOf } from './answer-facts.ts'
import { type Spot, spotsOf, titleOf, viewKey } from './page-tree.ts'
import { hasView } from './area-views.ts'
import { filled, words } from '../../runtime/ui/words.ts'

export type PageAsk = Context<Env>

interface AskAs {
  readonly c: PageAsk
  readonly header?: ((name: string) => string | undefined) | undefined
  readonly shared?: Together | undefined
  readonly precondition?: Precondition | undefined
}

/** The reads of a page are one request: it authenticates once. @param shared where the page has asked already who looks at it */
export function askAs(app: App, { c, header = (name: string) => headerOf(c, name), shared = together(), precondition }: AskAs): Ask {
  return async (operation, path, input = {}) =>
    app.call({
      operation,
      surface: 'pages',
      header,
      ip: addressOf(c, app),
      id: requestId(c),
      together: shared,
      precondition,
      path: Object.fromEntries(Object.keys(operation.pathInput).flatMap(name => (path[name] === undefined ? [] : [[name, path[name]]]))),
      input: async () => ({ ...input }),
    })
}

/** The same read is made once, however many parts of a page want it. */
export function once(ask: Ask): Ask {
  const answers = new Map<string, ReturnType<Ask>>()
  return (operation, path, input = {}) => {
    const key = JSON.stringify([operation.id, path, input])
    const answer = answers.get(key) ?? ask(operation, path, input)
    answers.set(key, answer)
    return answer
  }
}

/** For pages of areas, which name what they read. */
export const readerAs =
  (app: App, ask: Ask): PageRequest['read'] =>
  async (id, input = {}) => {
    const operation = app.table.operations.get(id)
    if (operation?.method !== 'GET') throw new Error(`There is no read ${id}`)
    const answer = await ask(operation, {}, input)
    if (isRefusal(answer)) throw new Failure(answer.body.error.code, answer.body.error.message)
    return contentOf(answer).data
  }

/** Rows of a list; undefined where the caller may not see it. */
export const askListAs =
  (app: App, caller: Caller, ask: Ask): AskList =>
  async (list, at, input) => {
    const listed = app.allows(caller, list) ? await ask(list, at, input) : undefined
    const data = listed && !isRefusal(listed) && isObject(listed.body) ? listed.body.data : undefined
    return Array.isArray(data) ? (data as unknown[]) : undefined
  }

const keyed = new WeakMap<Table, ReadonlyMap<string, Spot>>()
/** Pages by what they show: the first of each. */
function spotsByKey(table: Table): ReadonlyMap<string, Spot> {
  let known = keyed.get(table)
  if (!known) {
    known = new Map([...spotsOf(table).byId.values()].toReversed().map(spot => [viewKey(spot.operation), spot]))
    keyed.set(table, known)
  }
  return known
}

/** Inputs that make an answer shorter, and its page poorer. */
const shortening: ReadonlySet<string> = new Set(['metrics', 'limit', 'per_page', 'page'])

/** Further answers that a view asks for, by the record that answers. */
export function beside(app: App, { caller, path, ask }: { caller: Caller; path: Readonly<Record<string, string>>; ask: Ask }) {
  const byKey = spotsByKey(app.table)
  const found = (record: string) => byKey.get(record)?.operation
  /** What anybody may read has no page, and can be asked for. */
  const read = (record: string) =>
    found(record) ??
    [...app.table.operations.values()].find(each => each.method === 'GET' && isEnvelope(each.answers) && viewKey(each) === record)
  return {
    async ask(record: string, input: Readonly<Record<string, unknown>>, other?: Readonly<Record<string, string>>) {
      const operation = read(record)
      const { data } = operation ? contentOf(await ask(operation, { ...path, ...other }, input)) : {}
      return Array.isArray(data) ? { rows: data } : isObject(data) ? data : undefined
    },
    formFor(record: string, input: Readonly<Record<string, string>>, parameters: Readonly<Record<string, string>> = {}) {
      const spot = byKey.get(`[${record}]`)
      const make = spot?.does.find(each => each.effect === 'create' && app.allows(caller, each))
      return make && spot && `${filled(spot.operation.path, { ...path, ...parameters })}?${new URLSearchParams({ do: make.id, ...input })}`
    },
    reportAt(id: string, input: Readonly<Record<string, unknown>>) {
      const spot = spotsOf(app.table).byId.get(id)
      if (!spot || !app.allows(caller, spot.operation)) return undefined
      const { operation } = spot
      // A report without a view is read best on the first page of its site, among everything else of the same days.
      const home = containerOf(app, operation.on[0]?.name ?? '')
      const [first] = home && operation.answers.kind === 'report' && !hasView(app.table, operation) ? itemsBelow(app, home, caller) : []
      const shown = first ?? operation
      const texts = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
      const of = { ...path, ...Object.fromEntries(Object.entries(input).map(([name, value]) => [name, texts(value)])) }
      const { properties } = shown.input
      const query = Object.entries(input).filter(
        ([name, value]) => Object.hasOwn(properties, name) && value !== undefined && !shortening.has(name),
      )
      const search = new URLSearchParams(query.map(([name, value]) => [name, texts(value)])).toString()
      const label = typeof input.dimension === 'string' ? words(input.dimension.replace(/^property:/, '')) : titleOf(shown)
      return { href: `${filled(shown.path, of)}${search === '' ? '' : `?${search}`}`, label }
    },
    schemaOf: (record: string) => found(record)?.output,
    pathOf(record: string, parameters: Readonly<Record<string, string>> = {}) {
      const operation = found(record)
      return operation && app.allows(caller, operation) ? filled(operation.path, { ...path, ...parameters }) : undefined
    },
  }
}
