/** Builds the object that a page passes to its view, with the viewer's permissions. */
import type { Static, TSchema } from '@sinclair/typebox'
import type { App } from '../../runtime/app.ts'
import type { Content } from '../../runtime/table/page.ts'
import { isRefusal } from '../../runtime/table/answer.ts'
import type { Caller } from '../../runtime/table/caller.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import type { Option } from '../../runtime/ui/fields/control-props.ts'
import { declaredText } from '../../runtime/texts/catalogues.ts'
import type { RowLink } from '../../runtime/ui/list.tsx'
import type { AskPage, Shows, ViewedPage } from '../../runtime/ui/viewed-page.ts'
import { doneWords } from '../../runtime/ui/operation-labels.ts'
import { shortOf } from '../../runtime/table/operation-names.ts'
import { filled } from '../../runtime/ui/words.ts'
import { contentOf } from './answer-facts.ts'
import { askListAs } from './call-operation.ts'
import { destinationsFor } from './destinations.ts'
import { recordActionsFor } from './record-actions.ts'
import { fillOf, operationOf, schemaOf } from './area-views.ts'
import { type Ask, containerOf, type Surroundings } from './frame.ts'
import { recordOf, spotsOf } from './page-tree.ts'
import { reportLink } from './report-link.ts'

type Fields = Readonly<Record<string, unknown>>

/** The answer that a page shows, with its links and actions. */
export interface Answered {
  readonly operation: NamedOperation
  readonly meta: Fields
  readonly url: URL
  readonly does: readonly NamedOperation[]
  lookedBefore(siteId: string): number | undefined
  hrefOf(row: Fields): string | undefined
  actionsOf(row: Fields): readonly RowLink[]
  choicesOf(operation: NamedOperation): Promise<ReadonlyMap<string, readonly Option[]>>
  settings(operation: NamedOperation): Promise<Content | undefined>
  names(): Promise<ReadonlyMap<string, string>>
  may(dimension: string): boolean
}

export interface Around {
  readonly app: App
  readonly caller: Caller
  /** Parameters of the path, and what is above the record. */
  readonly path: Readonly<Record<string, string>>
  readonly ask: Ask
  readonly around: Surroundings
  readonly answered: Answered
}

export function viewedPage({ app, caller, path, ask, around, answered }: Around): ViewedPage {
  const { table } = app
  const named = (shows: Shows, given: Fields = {}): NamedOperation | undefined => operationOf(table, shows, { ...path, ...given })
  /** Reads an operation. The input is flat, as for a caller of the API; parameters of the path are taken out of it. */
  const answerTo = async (shows: Shows, input: Fields = {}): Promise<ReturnType<typeof contentOf> | undefined> => {
    const operation = named(shows, input)
    if (operation?.method !== 'GET') return undefined
    const isOfPath = ([name]: [string, unknown]) => Object.hasOwn(operation.pathInput, name)
    const given = Object.entries(input).filter(([, value]) => value !== undefined && value !== null)
    const own = Object.fromEntries(given.filter(isOfPath).map(([name, value]) => [name, String(value)]))
    const answer = await ask(operation, { ...path, ...own }, Object.fromEntries(given.filter(each => !isOfPath(each))))
    return isRefusal(answer) ? undefined : contentOf(answer)
  }
  const read = async (shows: Shows, input?: Fields): Promise<unknown> => (await answerTo(shows, input))?.data
  const { operation: shown, meta, url, does, lookedBefore, names, may } = answered
  const page: ViewedPage = {
    schema: shown.output,
    meta,
    url,
    viewer: around.viewer,
    now: app.now(),
    baseUrl: app.config.BASE_URL,
    does,
    lookedBefore,
    names,
    may,
    siteId: typeof around.site?.id === 'string' ? around.site.id : undefined,
    within<S extends TSchema>(schema: S) {
      const shows = (subject: string) => containerOf(app, subject)?.declared.output === schema
      const record = shows('site') ? around.site : shows('workspace') ? around.workspace : undefined
      return record as Static<S> | undefined // the answer of this page, which was checked for its schema
    },
    ask: read as AskPage, // likewise
    answerOf: answerTo as ViewedPage['answerOf'],
    async fill(slot, given) {
      const fill = fillOf(table, slot)
      return (await fill?.make({ ...given, page } as never)) as never // `fill` types it by the slot
    },
    pathOf(shows, parameters = {}) {
      const operation = named(shows, parameters)
      if (!operation || !spotsOf(table).byId.has(operation.id) || !app.allows(caller, operation)) return undefined
      return filled(operation.path, { ...path, ...parameters })
    },
    hrefOf: row => answered.hrefOf(row as Fields),
    actionsOf: row => answered.actionsOf(row as Fields),
    offered: operation => does.find(({ declared }) => declared === operation),
    async settings(changes) {
      const row = named(changes)
      return row && answered.settings(row)
    },
    async choicesOf(operation) {
      const row = named(operation)
      return row ? answered.choicesOf(row) : new Map()
    },
    formFor(creates, input, parameters = {}) {
      const made = 'run' in creates ? named(creates) : undefined
      const { byId, spotOf } = spotsOf(table)
      const spot = made
        ? spotOf.get(made.id)
        : [...byId.values()].find(({ operation }) => operation.answers.kind === 'list' && schemaOf(operation) === creates)
      const create = (made ? [made] : spot?.does)?.find(each => each.effect === 'create' && app.allows(caller, each))
      if (!spot || !create) return undefined
      return `${filled(spot.operation.path, { ...path, ...parameters })}?${new URLSearchParams({ do: create.id, ...input })}`
    },
    async destinations(text, siteId) {
      const of = { caller, reader: around.viewer, siteId, workspaceId: path.workspace_id ?? caller.workspaceId }
      return [...(await recordActionsFor(app, text, { ...of, ask: askListAs(app, caller, ask) })), ...destinationsFor(app, text, of)]
    },
    doneOf(id, isRefused) {
      const operation = table.operations.get(id)
      if (!operation) return undefined
      if (isRefused) return declaredText(around.viewer, shortOf(operation))
      return doneWords(operation, recordOf(operation), around.viewer).replace(/\.$/, '')
    },
    inputOf: id => table.operations.get(id)?.input,
    reportAt: (id, input) => reportLink(app, caller, { id, input, path }),
    takes: input => Object.hasOwn(shown.input.properties, input),
  }
  return page
}
