import type { Static } from '@sinclair/typebox'
import { CardList } from '../../../runtime/ui/card-list.tsx'
import { Code } from '../../../runtime/ui/copy.tsx'
import { instant, type Viewer } from '../../../runtime/ui/format.ts'
import { OperationForm } from '../../../runtime/ui/form.tsx'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { Site } from '../../sites/sites/records.ts'
import { RecordView } from '../../../runtime/ui/record.tsx'
import { form } from '../../../runtime/ui/form-layout.ts'
import { withQuery } from '../../../runtime/ui/words.ts'
import { listView, view } from '../../../runtime/ui/view.ts'
import { linkFields, reportWords } from './form.tsx'
import { shared_links_create, shared_links_update } from './operations.ts'
import { SharedLink } from './records.ts'
import { ui } from '../../../runtime/ui/messages.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

export const createLink = form(shared_links_create, linkFields)
export const changeLink = form(shared_links_update, linkFields)

type Link = Static<typeof SharedLink>

/** The cards above the record show these fields. */
const shownAbove = new Set(['id', 'site_id', 'name', 'url', 'reports', 'embed_code', 'views', 'last_viewed_at'])

/** A shared link: its address and embed code to copy, and what it shows. */
export const sharedLink = view(SharedLink, async ({ data, page }) => {
  const { schema, viewer } = page
  const named = await page.names()
  return (
    <>
      <section class="card" aria-label={say(viewer, ui.address)}>
        <Code content={data.url} reader={viewer} />
        <p>{data.reports.map(name => say(viewer, reportWords[name])).join(' · ')}</p>
        <p class="help">{openedWords(data, viewer)}</p>
      </section>
      {data.embed_code !== null && (
        <section class="card" aria-labelledby="embed">
          <h2 id="embed">{say(viewer, m.in_a_page)}</h2>
          <Code content={data.embed_code} reader={viewer} />
        </section>
      )}
      <div class="card">
        <RecordView schema={schema} data={data} viewer={viewer} named={named} without={shownAbove} />
      </div>
    </>
  )
})

/** Shared links as cards, each with its address and how often it was opened. */
export const sharedLinks = listView(SharedLink, ({ rows, page }) => {
  const { viewer } = page
  const create = page.offered(shared_links_create) && <ShareAtOnce page={page} />
  const has = create ? [shared_links_create] : []
  if (rows.length === 0) return create ? { content: create, has } : undefined
  const cards = rows.map(row => ({
    name: row.name,
    href: page.hrefOf(row),
    beside: <span>{row.password_present && <span class="tag plain">{say(viewer, m.with_password)}</span>}</span>,
    about: (
      <>
        {`${openedWords(row, viewer)} · `}
        <a href={row.url}>{row.url}</a>
      </>
    ),
  }))
  const content = (
    <>
      {create}
      <CardList cards={cards} />
    </>
  )
  return { content, has }
})

/** Shares the usual reports with one button; the form next to it has the choices. */
function ShareAtOnce({ page: { viewer, within, url } }: { page: ViewedPage }) {
  const site = within(Site)
  if (!site) return null
  const name = say(viewer, m.proposed_name, { site: site.name })
  return (
    <OperationForm of={shared_links_create} path={{ site_id: site.id }} class="card at-once" hidden={{ name }} refused={undefined}>
      {() => (
        <>
          <div>
            <b>{name}</b>
            <p class="help">{say(viewer, m.usual_reports)}</p>
          </div>
          <p class="ways">
            <a class="button plain" href={withQuery(url, { do: 'shared_links_create' })}>
              {say(viewer, m.choose_reports)}
            </a>
            <button type="submit">{say(viewer, m.make_link)}</button>
          </p>
        </>
      )}
    </OperationForm>
  )
}

function openedWords({ views, last_viewed_at }: Link, viewer: Viewer): string {
  if (last_viewed_at === null) return say(viewer, m.never_opened)
  return say(viewer, m.opened_often, { count: views, when: instant(last_viewed_at, viewer) })
}
