import type { Content } from '../../../runtime/table/page.ts'
import type { Static } from '../../../runtime/table/schema.ts'
import { BarTable, Panel } from '../../../runtime/ui/bar-table.tsx'
import { Code } from '../../../runtime/ui/copy.tsx'
import { Figures } from '../../../runtime/ui/figures.tsx'
import { form } from '../../../runtime/ui/form-layout.ts'
import { day, instant, plainNumber, wallClock, type Viewer } from '../../../runtime/ui/format.ts'
import { Letter, Mark } from '../../../runtime/ui/icons/icon.tsx'
import { labelIn } from '../../../runtime/ui/labels.ts'
import { ui } from '../../../runtime/ui/messages.ts'
import { listView, view } from '../../../runtime/ui/view.ts'
import { say } from '../../../runtime/texts/say.ts'
import { dimensionOf, labelOf } from '../stats/index.ts'
import { m } from './messages.ts'
import { NoPeople } from './no-people.tsx'
import { people_delete, people_export, people_visits_list } from './operations.ts'
import { Person, PersonDetail, PersonExport, PersonVisit } from './records.ts'
import { Timeline } from './timeline.tsx'

const VISITS_SHOWN = 10

type Known = Pick<Static<typeof Person>, 'id' | 'user'>
/** The id of the site or, if the site keeps none, the end of ours. */
const nameOf = ({ user, id }: Known, viewer: Viewer): string => user ?? say(viewer, m.person, { id: id.slice(-6) })

const dayOf = (iso: string, viewer: Viewer): string => day(wallClock(Date.parse(iso), viewer.timezone), viewer)

type TraitsOf = Pick<Static<typeof Person>, 'traits'>
const Traits = ({ traits }: TraitsOf) => (
  <span class="traits">
    {traits.map(({ name, value }) => (
      <span class="tag plain">
        {name}: {String(value)}
      </span>
    ))}
  </span>
)

/** People with their traits, seen last first. */
export const people = listView(Person, ({ rows, page }) => {
  const { viewer, url } = page
  if (rows.length === 0) return url.searchParams.has('search') || url.searchParams.has('user') ? undefined : <NoPeople page={page} />
  return (
    <div class="card">
      <ul class="rows people">
        {rows.map(row => {
          const name = nameOf(row, viewer)
          return (
            <li>
              <Letter text={name} size="round" />
              <div>
                <a href={page.hrefOf(row)}>
                  <b>{name}</b>
                </a>
                <p class="help">
                  {say(viewer, m.last_seen, { when: instant(row.last_seen_at, viewer) })} ·{' '}
                  {say(viewer, m.known_since, { when: dayOf(row.first_seen_at, viewer) })}
                </p>
              </div>
              <Traits {...row} />
            </li>
          )
        })}
      </ul>
    </div>
  )
})

/** A person: totals, traits, and visits in order. */
export const person = view(
  PersonDetail,
  async ({ data, page }) => {
    const { viewer } = page
    const visits = (await page.ask(people_visits_list, { id: data.id, per_page: VISITS_SHOWN })) as
      | readonly Static<typeof PersonVisit>[]
      | undefined
    const all = page.pathOf(people_visits_list, { id: data.id })
    const copy = page.pathOf(people_export, { id: data.id })
    const { pageviews, events, revenue, purchases } = data
    const sold = purchases > 0 ? { revenue, purchases } : {}
    const source = dimensionOf('source')
    return {
      title: nameOf(data, viewer),
      content: (
        <>
          <section class="card" aria-label={say(viewer, m.traits)}>
            <Figures
              label={say(viewer, m.traits)}
              figures={{ visits: data.visits, pageviews, events, ...sold }}
              fields={PersonDetail.properties}
              viewer={viewer}
            />
            <p class="between">
              {data.traits.length > 0 ? <Traits {...data} /> : <span class="help">{say(viewer, m.no_traits)}</span>}
              <span class="help">
                {say(viewer, m.known_since, { when: dayOf(data.first_seen_at, viewer) })} ·{' '}
                {say(viewer, m.last_seen, { when: instant(data.last_seen_at, viewer) })}
              </span>
            </p>
          </section>
          <div class="person-parts">
            <Panel title={say(viewer, m.visits)} id="visits">
              {visits && visits.length > 0 ? <Timeline visits={visits} viewer={viewer} /> : <p class="none">{say(viewer, m.no_visits)}</p>}
              {all !== undefined && data.visits > VISITS_SHOWN && (
                <p class="all">
                  <a href={all}>{say(viewer, m.all_visits, { count: data.visits })}</a>
                </p>
              )}
            </Panel>
            <div>
              <Panel title={say(viewer, m.sources)} id="sources">
                <BarTable
                  viewer={viewer}
                  label={say(viewer, ui.sources)}
                  columns={[say(viewer, m.visits)]}
                  rows={data.sources.map(row => {
                    const label = source ? labelOf(source, row.source) : row.source
                    return {
                      label: labelIn('source', { value: row.source, label }, viewer),
                      mark: <Mark dimension="source" value={row.source} label={label} />,
                      weight: row.visits,
                      cells: [plainNumber(row.visits, viewer)],
                    }
                  })}
                />
              </Panel>
              {copy !== undefined && (
                <section class="card" aria-labelledby="copy">
                  <h2 id="copy">
                    <a href={copy}>{say(viewer, m.export)}</a>
                  </h2>
                  <p class="help">{say(viewer, m.export_help)}</p>
                </section>
              )}
            </div>
          </div>
        </>
      ),
    }
  },
  { parts: [PersonVisit, PersonExport] },
)

export const visits = listView(PersonVisit, ({ rows, page }) =>
  rows.length === 0 ? undefined : (
    <section class="card">
      <Timeline visits={rows} viewer={page.viewer} />
    </section>
  ),
)

export const everything = view(PersonExport, ({ data, page: { viewer } }) => (
  <section class="card">
    <p class="help">{say(viewer, m.export_help)}</p>
    <Code content={JSON.stringify(data, null, 2)} reader={viewer} />
  </section>
))

/** Lists the consequences of a deletion. */
export const deletePerson = form(people_delete, ({ record, reader }) => {
  const count = (name: string): number => (typeof record?.[name] === 'number' ? record[name] : 0)
  return (
    <ul class="sentences">
      <li>{say(reader, m.delete_now)}</li>
      {record !== undefined && <li>{say(reader, m.delete_visits, { visits: count('visits'), pageviews: count('pageviews') })}</li>}
      <li>{say(reader, m.delete_later)}</li>
      <li>{say(reader, m.delete_stays)}</li>
      <li>
        <b>{say(reader, m.delete_forever)}</b>
      </li>
    </ul>
  ) as Content
})
