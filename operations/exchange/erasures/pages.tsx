import type { Static } from '../../../runtime/table/schema.ts'
import { CardList } from '../../../runtime/ui/card-list.tsx'
import { Tag } from '../../../runtime/ui/cell.tsx'
import { conditionWords } from '../../../runtime/ui/conditions.ts'
import { day, instant, money, type Viewer } from '../../../runtime/ui/format.ts'
import { form } from '../../../runtime/ui/form-layout.ts'
import { RecordView } from '../../../runtime/ui/record.tsx'
import { listView, view } from '../../../runtime/ui/view.ts'
import { fieldWords, valueWords } from '../../../runtime/ui/words.ts'
import { declaredText } from '../../../runtime/texts/catalogues.ts'
import { say } from '../../../runtime/texts/say.ts'
import { shortOf } from '../../../runtime/table/operation-names.ts'
import { applyFields, eraseFields } from './form.tsx'
import { Forecast } from './forecast.tsx'
import { m } from './messages.ts'
import { traffic_rules_apply, visits_erase } from './operations.ts'
import { ErasurePreview, VisitErasure } from './records.ts'

export const eraseForm = form(visits_erase, eraseFields)
export const applyForm = form(traffic_rules_apply, applyFields)

type Erasure = Static<typeof VisitErasure>

/** Seconds after which the page of a running erasure is loaded again. */
const AGAIN_AFTER = 3

/** Erasures as cards, each with what it erases and its progress. */
export const erasures = listView(VisitErasure, ({ rows, page }) => {
  if (rows.length === 0) return undefined
  const { viewer } = page
  const cards = rows.map(row => ({
    name: whatOf(row, viewer),
    href: page.hrefOf(row),
    beside: <State erasure={row} viewer={viewer} />,
    about: (
      <>
        {say(viewer, m.erasure_of, { from: day(row.from, viewer), to: day(row.to, viewer) })}
        {' · '}
        {say(viewer, m.so_far, { visits: row.visits, pageviews: row.pageviews, events: row.events })}
      </>
    ),
  }))
  const isOpen = rows.some(({ state }) => state === 'running')
  return { content: <CardList cards={cards} />, ...(isOpen && { againAfter: AGAIN_AFTER }) }
})

/** The card states these fields. */
const inCard = new Set([
  'id',
  'site_id',
  'state',
  'progress',
  'filters',
  'visits',
  'pageviews',
  'events',
  'revenue',
  'traffic_rule',
  'from',
  'to',
])

export const erasure = view(VisitErasure, async ({ data, page }) => {
  const { viewer, schema } = page
  return {
    title: whatOf(data, viewer),
    ...(data.state === 'running' && { againAfter: AGAIN_AFTER }),
    content: (
      <>
        <section class="card" aria-label={fieldWords('state', viewer)}>
          <p>
            <State erasure={data} viewer={viewer} />
          </p>
          <p>{say(viewer, m.erasure_of, { from: day(data.from, viewer), to: day(data.to, viewer) })}</p>
          <p>
            {say(viewer, m.so_far, { visits: data.visits, pageviews: data.pageviews, events: data.events })}
            {data.revenue !== 0 && ` · ${money(data.revenue, viewer)}`}
          </p>
          <p class="help">{instant(data.requested_at, viewer)}</p>
        </section>
        <div class="card">
          <RecordView schema={schema} data={data} viewer={viewer} named={await page.names()} without={inCard} />
        </div>
      </>
    ),
  }
})

/** The forecast of an erasure: the sentences of its form, and a button that opens it with the same period. */
export const preview = view(
  ErasurePreview,
  ({ data, page }) => {
    const { viewer, url } = page
    const period = Object.fromEntries(['period', 'from', 'to'].map(name => [name, url.searchParams.get(name) ?? '']))
    const erase = page.formFor(visits_erase, Object.fromEntries(Object.entries(period).filter(([, value]) => value !== '')))
    return (
      <section class="card" aria-labelledby="what">
        <h2 id="what">{whatOf(data, viewer)}</h2>
        <Forecast of={data} viewer={viewer} />
        {erase !== undefined && data.visits > 0 && (
          <p class="ends">
            <a class="button plain danger" href={erase}>
              {declaredText(viewer, shortOf(visits_erase))}
            </a>
          </p>
        )}
      </section>
    )
  },
  { hasOptions: true },
)

function State({ erasure: { state, progress }, viewer }: { erasure: Erasure; viewer: Viewer }) {
  return (
    <span>
      <Tag value={state} viewer={viewer} />{' '}
      {state === 'running' && <progress max={100} value={progress} aria-label={fieldWords('progress', viewer)} />}
    </span>
  )
}

function whatOf({ filters, traffic_rule: rule, by_value }: Pick<Erasure, 'filters' | 'traffic_rule' | 'by_value'>, viewer: Viewer): string {
  if (rule) return say(viewer, m.by_rule, { kind: valueWords(rule.kind, viewer), value: rule.value })
  const conditions = [...(by_value ? [say(viewer, m.with_value)] : []), ...filters.map(each => conditionWords(each, viewer))]
  return conditions.length === 0 ? say(viewer, m.all_visits) : conditions.join(', ')
}
