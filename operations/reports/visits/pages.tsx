import type { Child } from 'hono/jsx'
import { Clipped } from '../../../runtime/ui/clipped.tsx'
import { FigureTable } from '../../../runtime/ui/figure-table.tsx'
import { duration, instant, money, percent, shortInstant, timeOfDay, type Viewer } from '../../../runtime/ui/format.ts'
import { Icon, Mark } from '../../../runtime/ui/icons/icon.tsx'
import { labelIn } from '../../../runtime/ui/labels.ts'
import { Nothing } from '../../../runtime/ui/share.tsx'
import { ui } from '../../../runtime/ui/messages.ts'
import { view } from '../../../runtime/ui/view.ts'
import { fieldWords, withQuery } from '../../../runtime/ui/words.ts'
import type { Static } from '../../../runtime/table/schema.ts'
import { say } from '../../../runtime/texts/say.ts'
import { PersonDetail } from '../people/records.ts'
import { dimensionOf, labelOf } from '../stats/index.ts'
import { ReportNotes } from '../stats/components.tsx'
import { ReportMeta } from '../stats/records.ts'
import { m } from './messages.ts'
import { visits_get } from './operations.ts'
import { type Visit, VisitList, VisitTimeline } from './records.ts'

type Shown = Static<typeof Visit>
type Dimension = Extract<keyof Shown, string>

const named = (name: string, value: string, viewer: Viewer) => {
  const dimension = dimensionOf(name)
  return labelIn(name, { value, label: dimension ? labelOf(dimension, value) : value }, viewer)
}

/** A mark that says its value to those who point at it, and to screen readers. */
function Sign({ name, visit, viewer }: { readonly name: Dimension; readonly visit: Shown; readonly viewer: Viewer }) {
  const value = String(visit[name])
  if (value === '') return null
  const says = named(name, value, viewer)
  return (
    <span title={says}>
      <Mark dimension={name} value={value} label={says} />
      <span class="unseen">{says} </span>
    </span>
  )
}

/** Where a visitor sat, and at what: no more than reports show. */
const Visitor = ({ visit, viewer }: { readonly visit: Shown; readonly viewer: Viewer }) => (
  <span class="signs">
    {(['country', 'device', 'browser', 'os'] as const).map(name => (
      <Sign name={name} visit={visit} viewer={viewer} />
    ))}
  </span>
)

const Source = ({ visit, viewer }: { readonly visit: Shown; readonly viewer: Viewer }) => (
  <>
    <span class="with-mark">
      <Mark dimension="source" value={visit.source} label={named('source', visit.source, viewer)} />
      <Clipped text={named('source', visit.source, viewer)} />
    </span>
    {visit.utm_campaign !== '' && <small class="help"> {visit.utm_campaign}</small>}
  </>
)

const Way = ({ visit: { entry_page, exit_page } }: { readonly visit: Shown }) => (
  <span class="way">
    <Clipped text={entry_page} />
    {exit_page !== entry_page && exit_page !== '' && (
      <>
        <span>→</span>
        <Clipped text={exit_page} />
      </>
    )}
  </span>
)

const Goals = ({ names }: { readonly names: readonly string[] }) => (
  <>
    {names.map(name => (
      <>
        <span class="nowrap">
          <Icon name="goal" size="small" /> {name}
        </span>{' '}
      </>
    ))}
  </>
)

/** Visits, newest first. */
export const visits = view(
  VisitList,
  ({ data, meta, page }) => {
    const { url, viewer } = page
    const notes = <ReportNotes notes={meta.notes} page={page} />
    if (data.rows.length === 0)
      return (
        <>
          <Nothing
            like={{
              icon: 'visits',
              rows: [
                ['Google → / → /pricing', '1m 12s'],
                ['Newsletter → /blog', '48s'],
              ],
            }}
          >
            {say(viewer, m.none)}
          </Nothing>
          {notes}
        </>
      )
    const hasMoney = data.rows.some(({ revenue }) => revenue)
    return (
      <>
        <FigureTable
          label={fieldWords('visits', viewer)}
          of={say(viewer, m.began)}
          columns={[
            { text: say(viewer, m.visitor) },
            { text: say(viewer, m.came_from) },
            { text: say(viewer, m.from_to) },
            fieldWords('duration', viewer),
            ...(hasMoney ? [fieldWords('revenue', viewer)] : []),
          ]}
          rows={data.rows.map(visit => ({
            head: (
              <a class="nowrap" href={page.pathOf(visits_get, { visit: visit.id })}>
                <time datetime={visit.started_at}>{shortInstant(visit.started_at, viewer)}</time>
              </a>
            ),
            cells: [
              <Visitor visit={visit} viewer={viewer} />,
              <Source visit={visit} viewer={viewer} />,
              <>
                <Way visit={visit} /> <small class="help nowrap">{say(viewer, m.pages_count, { count: visit.pageviews })}</small>
                {visit.goals.length > 0 && (
                  <div class="help">
                    <span class="unseen">{say(viewer, m.reached)}: </span>
                    <Goals names={visit.goals} />
                  </div>
                )}
              </>,
              duration(visit.duration, viewer),
              ...(hasMoney ? [visit.revenue ? money(visit.revenue, viewer) : ''] : []),
            ],
          }))}
        />
        <nav class="paging" aria-label={say(viewer, ui.list_pages)}>
          {url.searchParams.has('cursor') && (
            <a class="button plain" href={withQuery(url, { cursor: undefined })}>
              {say(viewer, m.newest)}
            </a>
          )}
          {data.next_cursor !== null && (
            <a class="button plain" rel="next" href={withQuery(url, { cursor: data.next_cursor })}>
              {say(viewer, m.older)}
            </a>
          )}
        </nav>
        <p class="help">{say(viewer, m.help)}</p>
        {notes}
      </>
    )
  },
  { meta: ReportMeta },
)

/** A visit: what is known of it, and what happened in order. */
export const visit = view(
  VisitTimeline,
  ({ data, page }) => {
    const { url, viewer } = page
    const person = data.person_id === null ? undefined : page.pathOf(PersonDetail, { id: data.person_id })
    const number = Number(url.searchParams.get('page') ?? 1)
    const size = Number(url.searchParams.get('limit') ?? 200)
    const facts: readonly (readonly [string, Child])[] = [
      ...(person === undefined ? [] : [[say(viewer, m.the_person), <a href={person}>{data.person_id}</a>] as const]),
      [say(viewer, m.came_from), <Source visit={data} viewer={viewer} />],
      ...(['country', 'region', 'city', 'device', 'browser', 'os', 'language'] as const).flatMap(name =>
        data[name] === ''
          ? []
          : [
              [
                fieldWords(name, viewer),
                <span class="with-mark">
                  <Mark dimension={name} value={data[name]} label={named(name, data[name], viewer)} />
                  {named(name, data[name], viewer)}
                </span>,
              ] as const,
            ],
      ),
      [fieldWords('duration', viewer), duration(data.duration, viewer)],
      ...(data.revenue ? [[fieldWords('revenue', viewer), money(data.revenue, viewer)] as const] : []),
      ...(data.goals.length > 0 ? [[say(viewer, m.reached), <Goals names={data.goals} />] as const] : []),
    ]
    const content = (
      <>
        <section class="card">
          <dl>
            {facts.map(([name, value]) => (
              <>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </>
            ))}
          </dl>
        </section>
        <section class="card" aria-labelledby="steps">
          <h2 id="steps">{say(viewer, m.what_happened)}</h2>
          <ol class="timeline">
            {data.steps.map(step => (
              <Step step={step} viewer={viewer} />
            ))}
          </ol>
          {data.has_other_properties && <p class="help">{say(viewer, m.other_properties)}</p>}
          {number * size < data.steps_total && (
            <a class="button plain" rel="next" href={withQuery(url, { page: String(number + 1) })}>
              {say(viewer, m.more_steps)}
            </a>
          )}
        </section>
      </>
    )
    return { content, title: instant(data.started_at, viewer) }
  },
  { own: [] },
)

function Step({ step, viewer }: { readonly step: Static<typeof VisitTimeline>['steps'][number]; readonly viewer: Viewer }) {
  const { at, event, revenue, engaged, scroll } = step
  const more = [
    ...(event === null ? [] : [step.page]),
    ...(revenue ? [money(revenue, viewer)] : []),
    ...(engaged > 0 ? [say(viewer, m.stayed, { duration: duration(engaged, viewer) })] : []),
    ...(scroll > 0 ? [say(viewer, m.scrolled, { percent: percent(scroll, viewer) })] : []),
    ...Object.entries(step.properties).map(([key, value]) => `${key}: ${value}`),
  ]
  return (
    <li class={event === null ? undefined : 'event'}>
      <time datetime={at}>{timeOfDay(at, viewer)}</time>
      <Icon name={event === null ? 'page' : 'event'} />
      <div>
        <strong>{event ?? step.page}</strong>
        {more.length > 0 && <small class="help"> {more.join(' · ')}</small>}
      </div>
    </li>
  )
}
