/** How pages call operations: as whoever looks at them. */
import { type App, isRefusal } from '../../runtime/app.ts'
import type { Caller } from '../../runtime/caller.ts'
import { isObject } from '../../runtime/json.ts'
import { addressOf, headerOf, requestId } from '../http/http.ts'
import type { AskList } from './choices.ts'
import { type Ask, viewKey } from './frame.ts'
import type { PageAsk } from './pages.tsx'
import { contentOf } from './parts.ts'
import { spotsOf } from './places.ts'
import { filled } from './words.ts'

export const askAs =
  (app: App, c: PageAsk, header = (name: string) => headerOf(c, name)): Ask =>
  (operation, path, input = {}) =>
    app.call({
      operation,
      surface: 'pages',
      header,
      ip: addressOf(c, app),
      id: requestId(c),
      path: Object.fromEntries(Object.keys(operation.pathInput).flatMap(name => (path[name] === undefined ? [] : [[name, path[name]]]))),
      input: async () => ({ ...input }),
    })

/** Rows of a list; undefined where the caller may not see it. */
export const askListAs =
  (app: App, caller: Caller, ask: Ask): AskList =>
  async (list, at, input) => {
    const listed = app.allows(caller, list) ? await ask(list, at, input) : undefined
    const data = listed && !isRefusal(listed) && isObject(listed.body) ? listed.body.data : undefined
    return Array.isArray(data) ? (data as unknown[]) : undefined
  }

/** What a view finds beside what it shows, by the record that answers it. */
export function beside(app: App, caller: Caller, path: Readonly<Record<string, string>>, ask: Ask) {
  const spots = [...spotsOf(app.table).byId.values()]
  const found = (record: string) => spots.find(({ operation }) => viewKey(operation) === record)?.operation
  return {
    async ask(record: string, input: Readonly<Record<string, unknown>>, other?: Readonly<Record<string, string>>) {
      const operation = found(record)
      const { data } = operation ? contentOf(await ask(operation, { ...path, ...other }, input)) : {}
      return Array.isArray(data) ? { rows: data } : isObject(data) ? data : undefined
    },
    formFor(record: string, input: Readonly<Record<string, string>>) {
      const spot = spots.find(({ operation }) => viewKey(operation) === `[${record}]`)
      const make = spot?.does.find(each => each.effect === 'create' && app.allows(caller, each))
      return make && spot && `${filled(spot.operation.path, path)}?${new URLSearchParams({ do: make.id, ...input })}`
    },
    schemaOf: (record: string) => found(record)?.output,
    pathOf(record: string, parameters: Readonly<Record<string, string>> = {}) {
      const operation = found(record)
      return operation && app.allows(caller, operation) ? filled(operation.path, { ...path, ...parameters }) : undefined
    },
  }
}
