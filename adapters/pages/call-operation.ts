/** How pages call operations: as the person who looks at them. */
import type { Context } from 'hono'
import { isRefusal } from '../../runtime/table/answer.ts'
import type { App } from '../../runtime/app.ts'
import type { Caller } from '../../runtime/table/caller.ts'
import { type Together, together } from '../../runtime/call/shared-reads.ts'
import { Failure } from '../../runtime/table/errors.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { isObject } from '../../runtime/values/json.ts'
import type { PageRequest } from '../../runtime/table/page.ts'
import type { Precondition } from '../../runtime/table/record-versions.ts'
import { addressOf, type Env, headerOf, requestId } from '../http/web.ts'
import type { AskList } from './choices.ts'
import type { Ask } from './frame.ts'
import { contentOf } from './answer-facts.ts'

export type PageAsk = Context<Env>

interface AskAs {
  readonly c: PageAsk
  readonly header?: ((name: string) => string | undefined) | undefined
  readonly shared?: Together | undefined
  readonly precondition?: Precondition | undefined
}

/** The reads of a page are one request, which authenticates once. @param shared the reads so far, if the caller is authenticated already */
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
      path: ownPath(operation, path),
      input: async () => ({ ...input }),
    })
}

/** The parameters that the path of an operation has: pages also pass the ids of the records above. */
const ownPath = ({ pathInput }: NamedOperation, path: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.keys(pathInput).flatMap(name => (path[name] === undefined ? [] : [[name, path[name]] as const])))

/** The same read is made once, however many parts of a page want it. */
export function once(ask: Ask): Ask {
  const answers = new Map<string, ReturnType<Ask>>()
  return (operation, path, input = {}) => {
    const key = JSON.stringify([operation.id, ownPath(operation, path), input])
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

/** Rows of a list; undefined if the caller may not see it. */
export const askListAs =
  (app: App, caller: Caller, ask: Ask): AskList =>
  async (list, at, input) => {
    const listed = app.allows(caller, list) ? await ask(list, at, input) : undefined
    const data = listed && !isRefusal(listed) && isObject(listed.body) ? listed.body.data : undefined
    return Array.isArray(data) ? (data as unknown[]) : undefined
  }
