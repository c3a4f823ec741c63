/** The manual in the product: its chapters, each as a page, and a search. Anyone may read it. */
import type { Child } from 'hono/jsx'
import { fail } from '../../../runtime/table/errors.ts'
import { page, type PageContent } from '../../../runtime/table/page.ts'
import { anchorOf } from '../../../runtime/ui/markdown.tsx'
import type { Say } from '../../../runtime/texts/say.ts'
import { sayParts } from '../../../runtime/texts/say.ts'
import { chapterOf } from './chapter.tsx'
import { chaptersOf, type Document, documents } from './documents.ts'
import { findSections } from './find.ts'
import { m } from './messages.ts'

const SHOWN = 20

interface ManualProps {
  readonly all: readonly Document[]
  readonly here: string | undefined
  readonly wanted?: string | undefined
  readonly say: Say
  readonly children: Child
}

/** The chapters on the left, a field to search them, and what is read. */
function Manual({ all, here, wanted, say, children }: ManualProps) {
  return (
    <div class="manual">
      <aside>
        <search>
          <form method="get" action="/documentation/search">
            <input
              type="search"
              name="q"
              required
              maxlength={200}
              value={wanted}
              aria-label={say(m.search_manual)}
              placeholder={say(m.search_manual)}
            />
          </form>
        </search>
        <nav aria-label={say(m.chapters)}>
          {chaptersOf(all).map(({ part, documents: chapters }) => (
            <details open={here === undefined || chapters.some(({ slug }) => slug === here)}>
              <summary>{say(m[part])}</summary>
              <ul>
                {chapters.map(({ slug, title }) => (
                  <li>
                    <a href={`/documentation/${slug}`} aria-current={slug === here ? 'page' : undefined}>
                      {title}
                    </a>
                  </li>
                ))}
              </ul>
            </details>
          ))}
        </nav>
        <p class="help">{say(m.in_english)}</p>
      </aside>
      <article>{children}</article>
    </div>
  )
}

export const manual = page({
  route: 'GET /documentation',
  summary: 'The manual',
  access: 'optional',
  async show({ say }, { use }): Promise<PageContent> {
    const all = await use(documents)
    return {
      title: say(m.manual),
      content: (
        <Manual all={all} here={undefined} say={say}>
          <h1>{say(m.manual)}</h1>
          {chaptersOf(all).map(({ part, documents: chapters }) => (
            <section class="card">
              <h2>{say(m[part])}</h2>
              <dl class="chapters">
                {chapters.map(({ slug, title, summary }) => (
                  <>
                    <dt>
                      <a href={`/documentation/${slug}`}>{title}</a>
                    </dt>
                    <dd class="help">{firstSentence(summary)}</dd>
                  </>
                ))}
              </dl>
            </section>
          ))}
        </Manual>
      ),
    }
  },
})

/** Without the rest, which leads to an example of the chapter. */
const firstSentence = (text: string): string => /^.*?\.(?= |$)/.exec(text)?.[0] ?? text.replace(/:$/, '.')

export const manual_search = page({
  route: 'GET /documentation/search',
  summary: 'Search of the manual',
  access: 'optional',
  async show({ say, query }, { use }): Promise<PageContent> {
    const all = await use(documents)
    const wanted = (query.get('q') ?? '').trim().slice(0, 200)
    const found = findSections(all, wanted, SHOWN)
    return {
      title: say(m.search_manual),
      content: (
        <Manual all={all} here={undefined} wanted={wanted} say={say}>
          <h1>{wanted === '' ? say(m.search_manual) : say(found.length > 0 ? m.found : m.nothing_about, { text: wanted })}</h1>
          {found.length === 0 && wanted !== '' && (
            <p>{sayParts(say, m.perhaps_not, { limits: <a href="/documentation/limits">{say(m.what_it_does_not)}</a> })}</p>
          )}
          <ol class="hits">
            {found.map(({ document: { slug, title }, heading, excerpt }) => (
              <li>
                <a href={`/documentation/${slug}${heading === '' ? '' : `#${anchorOf(heading.replace(/`/g, ''))}`}`}>
                  <b>{heading === '' ? title : `${title} › ${heading.replace(/[`*]/g, '')}`}</b>
                </a>
                <p class="help">{excerpt}</p>
              </li>
            ))}
          </ol>
        </Manual>
      ),
    }
  },
})

export const manual_chapter = page({
  route: 'GET /documentation/{slug}',
  summary: 'A page of the manual',
  access: 'optional',
  async show({ say, path }, { use }): Promise<PageContent> {
    const all = await use(documents)
    const document = all.find(({ slug }) => slug === path.slug) ?? fail('not_found')
    return {
      title: document.title,
      content: (
        <Manual all={all} here={document.slug} say={say}>
          {await chapterOf(document, all)}
        </Manual>
      ),
    }
  },
})
