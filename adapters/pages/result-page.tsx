/** What a form was answered with, where it is a page of its own: a secret, what a check found, the way to another service. */
import type { App } from '../../runtime/app.ts'
import type { Content } from '../../runtime/table/page.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { askAs, type PageAsk } from './call-operation.ts'
import { labelOf } from '../../runtime/ui/operation-labels.ts'
import type { Look } from './load-page.ts'
import { AnswerPage, Once } from './page-elements.tsx'
import { recordOf, type Spot } from './page-tree.ts'
import type { Result } from './results.ts'
import type { View } from '../../runtime/ui/view.ts'
import { viewOf } from './area-views.ts'
import { showWith } from './page-view.ts'
import { m } from './messages.ts'
import { declaredText } from '../../runtime/texts/catalogues.ts'
import { say } from '../../runtime/texts/say.ts'

type Fields = Readonly<Record<string, unknown>>

/** @param look the page that the form is of, which whoever looks may see @returns undefined for what a notice says */
export async function answerOf(
  app: App,
  { c, look, result }: { c: PageAsk; look: Look; result: Result },
): Promise<{ title: string; content: Content } | undefined> {
  const { operation, record } = result
  if (!record) return undefined
  const { viewer } = look.around
  const elsewhere = operation.onward === undefined ? undefined : record[operation.onward]
  if (typeof elsewhere === 'string') {
    const title = say(viewer, m.going_on)
    return { title, content: <GoingOn title={title} url={elsewhere} look={look} /> }
  }
  if (isShownOnce(app, operation, record)) {
    const title = declaredText(viewer, operation.summary)
    return { title, content: <Once operation={operation} record={record} onwards={hereOf(look)} viewer={viewer} /> }
  }
  const view = viewOfAnswer(app, operation, look.spot)
  return view && { title: labelOf(operation, viewer), content: await seen(app, { c, look, operation, data: record, view }) }
}

/** Whether an answer has a secret that is on no page. */
export function isShownOnce(app: App, operation: NamedOperation, record: Fields): boolean {
  const kept = viewOf(app.table, operation)?.options.keeps ?? []
  return operation.secrets.some(name => typeof record[name] === 'string' && !kept.includes(name))
}

const hereOf = ({ url }: Look): string => url.pathname + url.search

/** An answer that is what was asked for, as it is on no page: what a check found. */
const viewOfAnswer = ({ table }: App, operation: NamedOperation, spot: Spot): View | undefined =>
  recordOf(operation) === recordOf(spot.operation) ? undefined : viewOf(table, operation)

interface SeenInput {
  readonly c: PageAsk
  readonly look: Look
  readonly operation: NamedOperation
  readonly data: Fields
  readonly view: View
}

async function seen(app: App, { c, look, operation, data, view }: SeenInput): Promise<Content> {
  const { url, caller, around, does } = look
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
    names: async () => new Map(),
    may: () => true,
  }
  const shown = await showWith(view, { app, caller, path, ask, around, answered }, data)
  const isOffered = does.includes(operation)
  return (
    <AnswerPage
      title={labelOf(operation, viewer)}
      again={
        isOffered ? { href: `${hereOf(look)}?${new URLSearchParams({ do: operation.id })}`, label: labelOf(operation, viewer) } : undefined
      }
      back={hereOf(look)}
      viewer={viewer}
      content={shown?.content}
    />
  ) as Content
}

/** To the page of another service. A redirect would not do: the policy of the page lets its forms lead to no other origin. */
function GoingOn({ title, url, look }: { title: string; url: string; look: Look }) {
  return (
    <section class="card">
      <meta http-equiv="refresh" content={`0;url=${url}`} />
      <h1>{title}</h1>
      <p>
        <a href={url} rel="noreferrer">
          {say(look.around.viewer, m.continue_to, { host: new URL(url).host })}
        </a>
      </p>
    </section>
  )
}
