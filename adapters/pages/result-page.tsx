/** The page of a result that a notice cannot show: a secret, the findings of a check, or a link to another service. */
import type { App } from '../../runtime/app.ts'
import type { Content } from '../../runtime/table/page.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { askAs, type PageAsk } from './call-operation.ts'
import { labelOf } from '../../runtime/ui/operation-labels.ts'
import type { LoadedPage } from './load-page.ts'
import { AnswerPage, Once } from './page-elements.tsx'
import { isList, recordOf, type Spot, spotsOf } from './page-tree.ts'
import type { Result } from './results.ts'
import type { View } from '../../runtime/ui/view.ts'
import { viewOf } from './area-views.ts'
import { showWith } from './page-view.ts'
import { m } from './messages.ts'
import { declaredText } from '../../runtime/texts/catalogues.ts'
import { say } from '../../runtime/texts/say.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Draws the page of a result.
 *
 * @param loaded page that has the form; the viewer may see it
 * @returns undefined if a notice shows the result
 */
export async function answerOf(
  app: App,
  { c, loaded, result }: { c: PageAsk; loaded: LoadedPage; result: Result },
): Promise<{ title: string; content: Content } | undefined> {
  const { operation, record } = result
  if (!record) return undefined
  const { viewer } = loaded.around
  const onwardUrl = operation.onward === undefined ? undefined : record[operation.onward]
  if (typeof onwardUrl === 'string') {
    const title = say(viewer, m.going_on)
    return { title, content: <GoingOn title={title} url={onwardUrl} loaded={loaded} /> }
  }
  if (isShownOnce(app, operation, record)) {
    const title = declaredText(viewer, operation.summary)
    return { title, content: <Once operation={operation} record={record} onwards={hereOf(loaded)} viewer={viewer} /> }
  }
  const view = viewOfAnswer(app, operation, loaded.spot)
  return view && { title: labelOf(operation, viewer), content: await resultContent(app, { c, loaded, operation, data: record, view }) }
}

/** Whether an answer has a secret that no page shows. */
export function isShownOnce(app: App, operation: NamedOperation, record: Fields): boolean {
  const kept = viewOf(app.table, operation)?.options.keeps ?? []
  return operation.secrets.some(name => typeof record[name] === 'string' && !kept.includes(name))
}

const hereOf = ({ url }: LoadedPage): string => url.pathname + url.search

/** Finds the view of an answer that no page shows, such as the findings of a check. */
function viewOfAnswer({ table }: App, operation: NamedOperation, spot: Spot): View | undefined {
  const isOf = (page: NamedOperation) => recordOf(page) === recordOf(operation)
  const hasPage = [...spotsOf(table).byId.values()].some(other => !isList(other.operation) && isOf(other.operation))
  return hasPage || isOf(spot.operation) ? undefined : viewOf(table, operation)
}

interface ResultContentInput {
  readonly c: PageAsk
  readonly loaded: LoadedPage
  readonly operation: NamedOperation
  readonly data: Fields
  readonly view: View
}

async function resultContent(app: App, { c, loaded, operation, data, view }: ResultContentInput): Promise<Content> {
  const { url, caller, around, does } = loaded
  const { viewer } = around
  const [ask, path] = [askAs(app, { c }), c.req.param() as Readonly<Record<string, string>>]
  const answered = {
    operation,
    meta: {},
    url,
    does: [],
    lookedBefore: () => undefined,
    hrefOf: () => undefined,
    actionsOf: () => [],
    choicesOf: async () => new Map(),
    settings: async () => undefined,
    names: async () => new Map(),
    may: () => true,
  }
  const shown = await showWith(view, { app, caller, path, ask, around, answered }, data)
  const isOffered = does.includes(operation)
  return (
    <AnswerPage
      title={labelOf(operation, viewer)}
      again={
        isOffered
          ? { href: `${hereOf(loaded)}?${new URLSearchParams({ do: operation.id })}`, label: labelOf(operation, viewer) }
          : undefined
      }
      back={hereOf(loaded)}
      viewer={viewer}
      content={shown?.content}
    />
  ) as Content
}

/** Opens a page of another service. A redirect would fail, because the policy of the page allows forms to lead only to its own origin. */
function GoingOn({ title, url, loaded }: { title: string; url: string; loaded: LoadedPage }) {
  return (
    <section class="card">
      <meta http-equiv="refresh" content={`0;url=${url}`} />
      <h1>{title}</h1>
      <p>
        <a href={url} rel="noreferrer">
          {say(loaded.around.viewer, m.continue_to, { host: new URL(url).host })}
        </a>
      </p>
    </section>
  )
}
