/** The page that questions are asked on: the box, questions to begin with, and the conversations there are. */
import { instant } from '../../../runtime/ui/format.ts'
import { say } from '../../../runtime/ui/languages/index.ts'
import { AskForm, Suggestions } from './ask-form.tsx'
import { list, number, text } from './read.ts'
import type { View } from './view.ts'

export const conversations: View = {
  async show({ data, meta, does, url, viewer, hrefOf }) {
    const ask = does.find(({ effect }) => effect === 'create')
    const rows = list(data.rows)
    const suggested = Array.isArray(meta.suggestions) ? meta.suggestions.filter(each => typeof each === 'string') : []
    return {
      brings: ask ? [ask] : [],
      content: (
        <>
          {ask && <AskForm action={url.pathname} isNew viewer={viewer} />}
          {ask && <Suggestions action={url.pathname} questions={suggested} viewer={viewer} />}
          {rows.length > 0 && (
            <section class="card" aria-labelledby="before">
              <h2 id="before">{say(viewer, 'ask_before')}</h2>
              <ul class="rows">
                {rows.map(row => (
                  <li>
                    <a href={hrefOf(row)}>{text(row.title)}</a>
                    <span class="help">
                      {say(viewer, 'ask_count', { count: Math.ceil(number(row.message_count) / 2) })} ·{' '}
                      {instant(text(row.updated_at), viewer)}
                    </span>
                  </li>
                ))}
              </ul>
              <p class="help">{say(viewer, 'ask_kept')}</p>
            </section>
          )}
        </>
      ),
    }
  },
}
