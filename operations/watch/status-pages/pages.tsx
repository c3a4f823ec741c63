import { CardList } from '../../../runtime/ui/card-list.tsx'
import { Tag } from '../../../runtime/ui/cell.tsx'
import { openMarkdown } from '../../../runtime/ui/markdown.tsx'
import { RecordView } from '../../../runtime/ui/record.tsx'
import { form } from '../../../runtime/ui/form-layout.ts'
import { listOf, listView, view } from '../../../runtime/ui/view.ts'
import { ImpactAndTimes } from './incident-facts.tsx'
import { status_incidents_update } from './incidents.ts'
import { statusPageFields } from './form.tsx'
import { status_pages_create, status_pages_update } from './operations.ts'
import { checkNames, PageGroups } from './page-groups.tsx'
import { StatusIncident, StatusIncidentDetail, StatusPage, StatusSubscriber } from './records.ts'
import { UpdateList } from './update-list.tsx'
import { m } from './messages.ts'
import { ui } from '../../../runtime/ui/messages.ts'
import { say } from '../../../runtime/texts/say.ts'

export const createStatusPage = form(status_pages_create, statusPageFields)
export const changeStatusPage = form(status_pages_update, statusPageFields)

/** Status pages as cards, each with its address and the number of its subscribers. */
export const statusPages = listView(StatusPage, ({ rows, page }) => {
  if (rows.length === 0) return undefined
  const { viewer } = page
  const cards = rows.map(row => ({
    name: row.name,
    href: page.hrefOf(row),
    beside: <span class="help">{say(viewer, m.subscribers_counted, { count: row.subscribers })}</span>,
    about: <a href={row.url}>{row.url}</a>,
  }))
  return <CardList cards={cards} />
})

/** The address, the names of the checks and the description show these fields. */
const inCards = new Set(['id', 'workspace_id', 'name', 'slug', 'url', 'groups', 'subscribers'])

/** A status page for the members who edit it: its address first, then the checks that it shows. */
export const statusPage = view(StatusPage, async ({ data, page }) => {
  const { schema, viewer } = page
  const names = await checkNames(status_pages_update, 'check_id', page)
  const ofPage = { status_page_id: data.id }
  const [incidents, subscribers] = [page.pathOf(listOf(StatusIncident), ofPage), page.pathOf(listOf(StatusSubscriber), ofPage)]
  return (
    <>
      <section class="card" aria-label={say(viewer, ui.address)}>
        <p>
          <a href={data.url}>{data.url}</a>
        </p>
        <p class="ends">
          {incidents && (
            <a class="button" href={incidents}>
              {say(viewer, m.status_incidents)}
            </a>
          )}{' '}
          {subscribers && (
            <a class="button plain" href={subscribers}>
              {say(viewer, m.subscribers_counted, { count: data.subscribers })}
            </a>
          )}
        </p>
      </section>
      <PageGroups groups={data.groups} names={names} viewer={viewer} />
      <div class="card">
        <RecordView schema={schema} data={data} viewer={viewer} without={inCards} />
      </div>
    </>
  )
})

/** Incidents and maintenance as cards, each with its state. */
export const statusIncidents = listView(StatusIncident, ({ rows, page }) => {
  if (rows.length === 0) return undefined
  const { viewer } = page
  const cards = rows.map(row => ({
    name: row.title,
    href: page.hrefOf(row),
    beside: (
      <span>
        {row.automatic && <span class="tag plain">{say(viewer, m.automatic)}</span>} <Tag value={row.status} viewer={viewer} />
      </span>
    ),
    about: <ImpactAndTimes incident={row} viewer={viewer} />,
  }))
  return <CardList cards={cards} />
})

/** An incident: its impact, the checks that it affects, and its updates. */
export const statusIncident = view(StatusIncidentDetail, async ({ data, page }) => {
  const { viewer } = page
  const [names, markdown] = [await checkNames(status_incidents_update, 'check_ids', page), await openMarkdown()]
  const affected = data.check_ids.map(id => names.get(id) ?? id)
  return (
    <section class="card" aria-label={data.title}>
      <div class="between">
        <p>
          <ImpactAndTimes incident={data} viewer={viewer} />
        </p>
        <Tag value={data.status} viewer={viewer} />
      </div>
      {affected.length > 0 && <p class="help">{say(viewer, m.affects, { what: affected.join(', ') })}</p>}
      <p class="help">
        <a href={data.url}>{say(viewer, m.as_public)}</a>
      </p>
      <UpdateList updates={data.updates} markdown={markdown} viewer={viewer} />
    </section>
  )
})
