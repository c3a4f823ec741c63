/** Status pages for those who edit them: the address first, what is shown by its names, and incidents with what was told. */
import { Tag } from '../../../runtime/ui/cell.tsx'
import { instant } from '../../../runtime/ui/format.ts'
import { RecordView } from '../../../runtime/ui/record.tsx'
import { say } from '../../../runtime/ui/languages/index.ts'
import { cardList } from './card-list.tsx'
import { openMarkdown, type RenderMarkdown } from '../../../runtime/ui/markdown.tsx'
import { list, number, type Row, text } from './read.ts'
import type { Seen, View } from './view.ts'

export const statusPages = cardList((row, { viewer }) => ({
  name: text(row.name),
  beside: <span class="help">{say(viewer, 'subscribers_counted', { count: number(row.subscribers) })}</span>,
  about: <a href={text(row.url)}>{text(row.url)}</a>,
}))

const told = new Set(['id', 'workspace_id', 'name', 'slug', 'url', 'groups', 'subscribers'])

export const statusPage: View = {
  async show(seen) {
    const { schema, data, viewer, pathOf } = seen
    const names = await checkNames(seen, 'check_id')
    const at = { status_page_id: text(data.id) }
    const [incidents, subscribers] = [pathOf('[StatusIncident]', at), pathOf('[StatusSubscriber]', at)]
    const groups = list(data.groups)
    return {
      content: (
        <>
          <section class="card" aria-label={say(viewer, 'address')}>
            <p>
              <a href={text(data.url)}>{text(data.url)}</a>
            </p>
            <p class="ends">
              {incidents && (
                <a class="button" href={incidents}>
                  {say(viewer, 'status_incidents')}
                </a>
              )}{' '}
              {subscribers && (
                <a class="button plain" href={subscribers}>
                  {say(viewer, 'subscribers_counted', { count: number(data.subscribers) })}
                </a>
              )}
            </p>
          </section>
          <section class="card" aria-labelledby="groups">
            <h2 id="groups">{say(viewer, 'what_it_shows')}</h2>
            {groups.length === 0 && <p class="none">{say(viewer, 'shows_nothing')}</p>}
            {groups.map(group => (
              <section class="nested">
                <h3>{text(group.name)}</h3>
                <ul>
                  {list(group.checks).map(check => (
                    <li>{text(check.label) || names.get(text(check.check_id)) || text(check.check_id)}</li>
                  ))}
                </ul>
              </section>
            ))}
          </section>
          <div class="card">
            <RecordView schema={schema} data={data} viewer={viewer} without={told} />
          </div>
        </>
      ),
    }
  },
}

export const statusIncidents = cardList((row, { viewer }) => ({
  name: text(row.title),
  beside: (
    <span>
      {row.automatic === true && <span class="tag plain">{say(viewer, 'automatic')}</span>} <Tag value={row.status} viewer={viewer} />
    </span>
  ),
  about: (
    <>
      {row.kind === 'maintenance' ? say(viewer, 'maintenance') : say(viewer, 'impact', { what: text(row.impact) })}
      {` · ${times(row, viewer)}`}
    </>
  ),
}))

export const statusIncident: View = {
  async show(seen) {
    const { data, viewer } = seen
    const [names, markdown] = [await checkNames(seen, 'check_ids'), await openMarkdown()]
    const affects = (Array.isArray(data.check_ids) ? data.check_ids.map(String) : []).map(id => names.get(id) ?? id)
    return {
      content: (
        <section class="card" aria-label={text(data.title)}>
          <div class="between">
            <p>
              {data.kind === 'maintenance' ? say(viewer, 'maintenance') : say(viewer, 'impact', { what: text(data.impact) })}
              {` · ${times(data, viewer)}`}
            </p>
            <Tag value={data.status} viewer={viewer} />
          </div>
          {affects.length > 0 && <p class="help">{say(viewer, 'affects', { what: affects.join(', ') })}</p>}
          <p class="help">
            <a href={text(data.url)}>{say(viewer, 'as_public')}</a>
          </p>
          <Told updates={list(data.updates)} markdown={markdown} viewer={viewer} />
        </section>
      ),
    }
  },
}

function Told({ updates, markdown, viewer }: { updates: readonly Row[]; markdown: RenderMarkdown; viewer: Seen['viewer'] }) {
  return (
    <ol class="happened">
      {updates.map(update => (
        <li>
          <p>
            <time datetime={text(update.created_at)}>{instant(text(update.created_at), viewer)}</time>{' '}
            <Tag value={update.status} viewer={viewer} />{' '}
            {update.notify === false && <span class="tag plain">{say(viewer, 'told_nobody')}</span>}
          </p>
          {text(update.body) !== '' && <div>{markdown(text(update.body))}</div>}
        </li>
      ))}
    </ol>
  )
}

const times = ({ starts_at, ends_at }: Row, viewer: Seen['viewer']): string =>
  typeof ends_at === 'string'
    ? `${instant(text(starts_at), viewer)} – ${instant(ends_at, viewer)}`
    : say(viewer, 'since', { when: instant(text(starts_at), viewer) })

/** Names of checks by their ids, where the viewer may choose among them. */
async function checkNames({ does, choicesOf }: Seen, field: string): Promise<ReadonlyMap<string, string>> {
  const change = does.find(({ method }) => method === 'PATCH')
  const options = change ? (await choicesOf(change)).get(field) : undefined
  return new Map((options ?? []).map(({ id, name }) => [id, name]))
}
