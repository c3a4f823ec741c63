import type { Content } from '../../../runtime/table/page.ts'
import { CardList } from '../../../runtime/ui/card-list.tsx'
import { Cell, Tag } from '../../../runtime/ui/cell.tsx'
import { RecordView } from '../../../runtime/ui/record.tsx'
import { form } from '../../../runtime/ui/form-layout.ts'
import { listOf, listView, view } from '../../../runtime/ui/view.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { withQuery } from '../../../runtime/ui/words.ts'
import { Goal } from '../../sites/goals/records.ts'
import { Channel } from '../channels/records.ts'
import { conditionWords } from './condition-words.ts'
import { Incidents, WatchedChart } from './incident-parts.tsx'
import { alertFields } from './form.tsx'
import { alerts_create, alerts_history, alerts_update } from './operations.ts'
import { Alert } from './records.ts'
import { watchedSeries } from './watched-series.ts'
import { m } from './messages.ts'
import { ui } from '../../../runtime/ui/messages.ts'
import { say } from '../../../runtime/texts/say.ts'

/** The sentence above the record states these fields. */
const inSentence = new Set(['id', 'site_id', 'name', 'state', 'kind', 'metric', 'operator', 'threshold', 'window_minutes', 'sensitivity'])
const MAX_INCIDENTS = 20

/** An alert: its state, the metric that it watches, and its incidents on it and as a list. */
export const alert = view(Alert, async ({ data, page }) => {
  const { schema, viewer } = page
  const [incidents = [], watched, names, withoutChannel] = await Promise.all([
    page.ask(alerts_history, { id: data.id, per_page: MAX_INCIDENTS }),
    watchedSeries(data, page),
    page.names(),
    data.channel_ids.length === 0 ? noticeOfNoChannel(page) : undefined,
  ])
  return (
    <>
      <section class="card" aria-labelledby="state">
        <div class="between">
          <h2 id="state">{watched ? `${watched.title}, ${watched.span}` : say(viewer, m.state)}</h2>
          <Tag value={data.state} viewer={viewer} />
        </div>
        <p>{conditionWords(data, viewer, names)}</p>
        {withoutChannel}
        {watched && <WatchedChart watched={watched} incidents={incidents} viewer={viewer} />}
        <Incidents incidents={incidents} viewer={viewer} />
      </section>
      <div class="card">
        <RecordView schema={schema} data={data} viewer={viewer} named={names} without={inSentence} />
      </div>
    </>
  )
})

/** Says that the alert sends no notifications, and leads to the form that changes it or, before there is a channel, makes one. */
async function noticeOfNoChannel(page: ViewedPage): Promise<Content> {
  const { viewer, url } = page
  const change = page.offered(alerts_update)
  const channels = change && (await page.choicesOf(alerts_update)).get('channel_ids')
  const isFirst = channels?.length === 0
  const href = isFirst ? page.formFor(Channel, {}) : channels && withQuery(url, { do: change.id })
  return (
    <p class="notice">
      {say(viewer, m.notifies_no_channel)}{' '}
      {href !== undefined && <a href={href}>{say(viewer, isFirst ? m.add_channel : m.choose_channel)}</a>}
    </p>
  ) as Content
}

const anew = { kind: ['metric', 'operator', 'threshold', 'window_minutes', 'sensitivity'] }
export const createAlert = form(alerts_create, alertFields, { anew })
export const changeAlert = form(alerts_update, alertFields, { anew })

/** Alerts as cards, each with its condition in words. */
export const alerts = listView(Alert, async ({ rows, page }) => {
  if (rows.length === 0) return undefined
  const { viewer } = page
  const goals = await goalNames(rows, page)
  const cards = rows.map(row => ({
    name: row.name,
    href: page.hrefOf(row),
    beside: (
      <span>
        {!row.enabled && <span class="tag plain">{say(viewer, ui.off)}</span>} <Tag value={row.state} viewer={viewer} />
      </span>
    ),
    about: (
      <>
        {conditionWords(row, viewer, goals)}
        {row.channel_ids.length === 0 && ` · ${say(viewer, m.no_notification)}`}
        {row.last_triggered_at !== null && (
          <>
            {` · ${say(viewer, m.last_triggered)} `}
            <Cell schema={Alert.properties.last_triggered_at} value={row.last_triggered_at} viewer={viewer} />
          </>
        )}
      </>
    ),
  }))
  return <CardList cards={cards} />
})

/** Names of the goals that alerts count, by their ids. */
async function goalNames(
  rows: readonly { readonly goal_id: string | null; readonly site_id: string | null }[],
  page: ViewedPage,
): Promise<ReadonlyMap<string, string>> {
  const sites = new Set(rows.flatMap(({ goal_id, site_id }) => (goal_id !== null && site_id !== null ? [site_id] : [])))
  const lists = await Promise.all([...sites].map(site_id => page.ask(listOf(Goal), { per_page: 100, site_id })))
  return new Map(lists.flatMap(goals => goals ?? []).map(({ id, name }) => [id, name]))
}
