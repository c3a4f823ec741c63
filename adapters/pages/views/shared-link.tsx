/** A shared link: the address first, with a button that copies it, then what it shows and what it does not. */
import { instant } from '../../../runtime/ui/format.ts'
import { say } from '../../../runtime/ui/languages/index.ts'
import { RecordView } from '../../../runtime/ui/record.tsx'
import { cardList } from './card-list.tsx'
import { number, text } from './read.ts'
import { Code } from '../../../runtime/ui/copy.tsx'
import type { View } from './view.ts'

const told = new Set(['id', 'site_id', 'name', 'url', 'embed_code', 'views', 'last_viewed_at'])

export const sharedLink: View = {
  async show({ schema, data, viewer, names }) {
    const named = await names()
    return {
      content: (
        <>
          <section class="card" aria-label={say(viewer, 'address')}>
            <Code content={text(data.url)} reader={viewer} />
            <p class="help">{opened(data, viewer)}</p>
          </section>
          {typeof data.embed_code === 'string' && (
            <section class="card" aria-labelledby="embed">
              <h2 id="embed">{say(viewer, 'in_a_page')}</h2>
              <Code content={data.embed_code} reader={viewer} />
            </section>
          )}
          <div class="card">
            <RecordView schema={schema} data={data} viewer={viewer} named={named} without={told} />
          </div>
        </>
      ),
    }
  },
}

export const sharedLinks = cardList((row, { viewer }) => ({
  name: text(row.name),
  beside: <span>{row.password_present === true && <span class="tag plain">{say(viewer, 'with_password')}</span>}</span>,
  about: (
    <>
      <a href={text(row.url)}>{text(row.url)}</a>
      {` · ${opened(row, viewer)}`}
    </>
  ),
}))

function opened({ views, last_viewed_at }: Readonly<Record<string, unknown>>, viewer: Parameters<typeof instant>[1]): string {
  if (typeof last_viewed_at !== 'string') return say(viewer, 'never_opened')
  return say(viewer, 'opened_often', { count: number(views), when: instant(last_viewed_at, viewer) })
}
