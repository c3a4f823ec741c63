import { instant } from '../../../runtime/ui/format.ts'
import { openMarkdown } from '../../../runtime/ui/markdown.tsx'
import { listView, view } from '../../../runtime/ui/view.ts'
import { AnswerCard } from './answer-card.tsx'
import { AskForm, Suggestions } from './ask-form.tsx'
import { assistant_ask, assistant_continue } from './operations.ts'
import { Conversation, ConversationsMeta, ListedConversation } from './records.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

/** A conversation, the latest question first: its answer, a chart, and the reports that the figures are from. */
export const conversation = view(Conversation, async ({ data, page }) => {
  const askOn = page.offered(assistant_continue)
  const exchanges = data.messages.flatMap((question, i, all) => (question.role === 'user' ? [{ question, answer: all[i + 1] }] : []))
  const markdown = await openMarkdown({ hasLinks: false })
  const withoutList = await openMarkdown({ hasLinks: false, hasNumberedLists: false })
  return {
    brings: askOn ? [askOn] : [],
    content: (
      <>
        {askOn && <AskForm action={page.url.pathname} isNew={false} viewer={page.viewer} />}
        {exchanges.toReversed().map(({ question, answer }) => (
          <article class="exchange">
            <h2>{question.content}</h2>
            {answer && <AnswerCard answer={answer} page={page} markdown={markdown} withoutList={withoutList} />}
          </article>
        ))}
      </>
    ),
  }
})

/** The page to ask on: the box, questions to begin with, and earlier conversations. */
export const conversations = listView(
  ListedConversation,
  ({ rows, meta, page }) => {
    const { url, viewer } = page
    const ask = page.offered(assistant_ask)
    return {
      brings: ask ? [ask] : [],
      content: (
        <>
          {ask && <AskForm action={url.pathname} isNew viewer={viewer} />}
          {ask && <Suggestions action={url.pathname} questions={meta.suggestions} viewer={viewer} />}
          {rows.length > 0 && (
            <section class="card" aria-labelledby="before">
              <h2 id="before">{say(viewer, m.ask_before)}</h2>
              <ul class="rows">
                {rows.map(row => (
                  <li>
                    <a href={page.hrefOf(row)}>{row.title}</a>
                    <span class="help">
                      {say(viewer, m.ask_count, { count: Math.ceil(row.message_count / 2) })} · {instant(row.updated_at, viewer)}
                    </span>
                  </li>
                ))}
              </ul>
              <p class="help">{say(viewer, m.ask_kept)}</p>
            </section>
          )}
        </>
      ),
    }
  },
  { meta: ConversationsMeta },
)
