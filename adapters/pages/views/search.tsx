/** Results of a search by name, by kind; arrow keys go through them. */
import { inLanguage, say } from '../../../runtime/ui/languages/index.ts'
import { filled, words } from '../../../runtime/ui/words.ts'
import { list, type Row, text } from './read.ts'
import type { Seen, View } from './view.ts'

export const search: View = {
  isAsked: true,
  async show(seen) {
    const { data, url, viewer, site, formFor } = seen
    const asked = url.searchParams.get('q') ?? ''
    const results = list(data.rows).flatMap(row => found(row, seen))
    const kinds = [...new Set(results.map(({ kind }) => kind))]
    const siteId = url.searchParams.get('site_id') ?? ''
    const asks = siteId !== '' && isQuestion(asked) ? formFor('ListedConversation', { question: asked }, { site_id: siteId }) : undefined
    return {
      content: (
        <>
          <search>
            <form method="get" class="find-form">
              {site && <input type="hidden" name="site_id" value={text(site.id)} />}
              <input
                type="search"
                name="q"
                required
                maxlength={100}
                value={asked}
                autocomplete="off"
                autofocus
                aria-label={say(viewer, 'search')}
              />
              <button type="submit">{say(viewer, 'search')}</button>
            </form>
          </search>
          {site && (
            <p class="help">
              {say(viewer, 'searched_site', { site: text(site.name) })}{' '}
              <a href={`${url.pathname}${asked === '' ? '' : `?${new URLSearchParams({ q: asked })}`}`}>{say(viewer, 'search_all')}</a>
            </p>
          )}
          {asked === '' ? (
            <p class="card empty">{say(viewer, 'search_says')}</p>
          ) : kinds.length === 0 ? (
            <div class="card empty">
              <p>{say(viewer, 'found_nothing', { text: asked })}</p>
              <p class="help">{say(viewer, 'search_hint')}</p>
            </div>
          ) : (
            <div class="found">
              {kinds.map(kind => {
                const rows = results.filter(each => each.kind === kind)
                return (
                  <section class="card" aria-labelledby={`kind-${kind}`}>
                    <h2 id={`kind-${kind}`}>
                      <Icon kind={kind} /> {inLanguage(viewer, words(kind))} <span class="count">{rows.length}</span>
                    </h2>
                    <ul>
                      {rows.map(({ href, name }) => (
                        <li>
                          <a href={href}>
                            <Marked text={name} wanted={asked} />
                          </a>
                        </li>
                      ))}
                    </ul>
                  </section>
                )
              })}
            </div>
          )}
          {asks && (
            <p class="card">
              <a href={asks}>{say(viewer, 'ask_this', { question: asked })}</a>
            </p>
          )}
        </>
      ),
    }
  },
}

/** In English, as the assistant is asked. */
const isQuestion = (asked: string): boolean =>
  /\S\s+\S/.test(asked.trim()) && /\?\s*$|^\s*(how|what|which|who|whose|where|when|why|did|do|does|is|are|was|were)\b/i.test(asked)

interface Found {
  readonly kind: string
  readonly name: string
  readonly href: string
}

/** A path that is of any site or record leads nowhere, unless it is of this site. */
function found({ kind, name, url: address }: Row, { site, url, baseUrl, viewer }: Seen): Found[] {
  const path = text(address).startsWith(baseUrl) ? text(address).slice(baseUrl.length) : text(address)
  const [, workspace = ''] = /^\/workspaces\/([^/]+)/.exec(url.pathname) ?? []
  const at = { workspace_id: workspace, ...(site && { site_id: text(site.id) }) }
  const known = Object.keys(at).reduce((rest, parameter) => rest.replace(`{${parameter}}`, ''), path)
  if (known.includes('{') || !path.startsWith('/')) return []
  // What the service does is called as in its own words; the rest as people called it.
  const called = kind === 'operation' ? inLanguage(viewer, text(name)) : text(name)
  return [{ kind: text(kind), name: called, href: path.includes('{') ? filled(path, at) : path }]
}

function Marked({ text: whole, wanted }: { text: string; wanted: string }) {
  const at = whole.toLowerCase().indexOf(wanted.trim().toLowerCase())
  if (at < 0) return <>{whole}</>
  const end = at + wanted.trim().length
  return (
    <>
      {whole.slice(0, at)}
      <mark>{whole.slice(at, end)}</mark>
      {whole.slice(end)}
    </>
  )
}

/** Outlines on a grid of 16; what has none of its own is a square. */
const icons: Readonly<Record<string, string>> = {
  site: 'M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M1.5 8h13M8 1.5c4 4 4 9 0 13M8 1.5c-4 4-4 9 0 13',
  goal: 'M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M8 5a3 3 0 1 0 0 6a3 3 0 1 0 0-6',
  alert: 'M3 12h10l-1.5-2V7a3.5 3.5 0 0 0-7 0v3zM6.5 14h3',
  page: 'M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3',
  documentation: 'M2 3c3-1 5 0 6 1c1-1 3-2 6-1v10c-3-1-5 0-6 1c-1-1-3-2-6-1zM8 4v10',
  event: 'M9 1.5L3 9h4l-1 5.5L13 7H8.5z',
  source: 'M6.5 9.5l4-4M7 4l1.5-1.5a3.5 3.5 0 0 1 5 5L12 9M9 12l-1.5 1.5a3.5 3.5 0 0 1-5-5L4 7',
  funnel: 'M2 3h12l-4.5 5.5v4l-3 1.5V8.5z',
  segment: 'M8 1.5v6.5h6.5a6.5 6.5 0 1 1-6.5-6.5',
  note: 'M3 2.5h10v8l-3 3H3zM13 10.5h-3v3',
  dashboard: 'M2 2h5v5H2zM9 2h5v5H9zM2 9h5v5H2zM9 9h5v5H9z',
  member: 'M8 2a3 3 0 1 0 0 6a3 3 0 1 0 0-6M2.5 14c0-6 11-6 11 0',
  operation: 'M5 4L1.5 8L5 12M11 4l3.5 4L11 12M9 3L7 13',
}

const Icon = ({ kind }: { kind: string }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    <path d={icons[kind] ?? 'M3 3h10v10H3z'} />
  </svg>
)
