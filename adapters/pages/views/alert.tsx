/** An alert: its state, the metric that it watches with the times it was triggered, and those times as a list. */
import { type Key, say, told } from '../../../runtime/ui/languages/index.ts'
import { Cell, Tag } from '../../../runtime/ui/cell.tsx'
import { LineChart } from '../../../runtime/ui/charts/line.tsx'
import { inUnit, instant } from '../../../runtime/ui/format.ts'
import { RecordView } from '../../../runtime/ui/record.tsx'
import { fieldWords, valueWords } from '../../../runtime/ui/words.ts'
import { cardList, type Named } from '../../../runtime/ui/card-list.tsx'
import { notesOn } from '../../../runtime/ui/charts/notes.ts'
import { fieldsOf, list, number, type Row, text } from './read.ts'
import type { Seen, View } from './view.ts'
import { thresholdUnit, type WatchedSeries, watchedBy } from './watched.ts'

/** The sentence above the record says the condition. */
const saidAbove = new Set(['id', 'site_id', 'name', 'state', 'kind', 'metric', 'operator', 'threshold', 'window_minutes', 'sensitivity'])
const mostIncidents = 20

export const alert: View = {
  async show(seen) {
    const { data, ask } = seen
    const [incidents, watched, named] = await Promise.all([
      ask('[AlertIncident]', { per_page: mostIncidents }),
      watchedBy(data, seen),
      seen.names(),
    ])
    return { content: <Alert seen={seen} incidents={list(incidents?.rows)} watched={watched} named={named} /> }
  },
}

interface AlertProps {
  readonly seen: Seen
  readonly incidents: readonly Row[]
  readonly watched: WatchedSeries | undefined
  readonly named: Named
}

function Alert({ seen: { schema, data, viewer }, incidents, watched, named }: AlertProps) {
  return (
    <>
      <section class="card" aria-labelledby="state">
        <div class="between">
          <h2 id="state">{watched ? `${watched.title}, ${watched.span}` : say(viewer, 'state')}</h2>
          <Tag value={data.state} viewer={viewer} />
        </div>
        <p>{conditionOf(data, viewer, named)}</p>
        {watched && <Watched watched={watched} incidents={incidents} viewer={viewer} />}
        <Incidents rows={incidents} viewer={viewer} />
      </section>
      <div class="card">
        <RecordView schema={schema} data={data} viewer={viewer} named={named} without={saidAbove} />
      </div>
    </>
  )
}

function Watched({ watched, incidents, viewer }: { watched: WatchedSeries; incidents: readonly Row[]; viewer: Seen['viewer'] }) {
  const { title, points, unit, limit } = watched
  const format = (value: number, isShort = false) => inUnit(value, unit, viewer, isShort)
  return (
    <LineChart
      reader={viewer}
      title={title}
      points={points}
      notes={notesOn(
        points,
        incidents.map(incident => ({ at: incident.triggered_at, text: told(viewer, text(incident.message)) || say(viewer, 'triggered') })),
      )}
      isCompared={false}
      limit={limit === undefined ? undefined : { value: limit, text: say(viewer, 'threshold', { value: format(limit) }) }}
      format={value => format(value)}
      short={value => format(value, true)}
    />
  )
}

function Incidents({ rows, viewer }: { rows: readonly Row[]; viewer: Seen['viewer'] }) {
  if (rows.length === 0) return <p class="none">{say(viewer, 'never_triggered')}</p>
  return (
    <ol class="happened" aria-label={say(viewer, 'when_triggered')}>
      {rows.map(row => (
        <li>
          <p>
            <time datetime={text(row.triggered_at)}>{instant(text(row.triggered_at), viewer)}</time>{' '}
            {typeof row.resolved_at === 'string' ? (
              <span class="tag plain">{say(viewer, 'ended_at', { when: instant(row.resolved_at, viewer) })}</span>
            ) : (
              <span class="tag bad">{say(viewer, 'open_incident')}</span>
            )}
          </p>
          <p>{told(viewer, text(row.message)) || say(viewer, 'measured', { value: inUnit(number(row.value), undefined, viewer) })}</p>
          {typeof row.acknowledged_at === 'string' && (
            <p class="help">
              {say(viewer, 'seen_by', {
                who: text(row.acknowledged_by) || say(viewer, 'a_member'),
                when: instant(row.acknowledged_at, viewer),
              })}
            </p>
          )}
        </li>
      ))}
    </ol>
  )
}

/** The list of what is watched: what is triggered first, with what it is about in words. */
export const alerts = cardList(
  (row, { schema, viewer }, named) => ({
    name: text(row.name),
    beside: (
      <span>
        {row.enabled === false && <span class="tag plain">{say(viewer, 'off')}</span>} <Tag value={row.state} viewer={viewer} />
      </span>
    ),
    about: (
      <>
        {conditionOf(row, viewer, named)}
        {typeof row.last_triggered_at === 'string' && (
          <>
            {` · ${say(viewer, 'last_triggered')} `}
            <Cell
              schema={fieldsOf({ ...schema, properties: { rows: schema } }, 'rows').last_triggered_at ?? schema}
              value={row.last_triggered_at}
              viewer={viewer}
            />
          </>
        )}
      </>
    ),
  }),
  goalsOf,
)

/** Goals that alerts count, of each site that has such an alert. */
async function goalsOf(rows: readonly Row[], { ask }: Seen): Promise<Named> {
  const sites = new Set(
    rows.flatMap(({ goal_id, site_id }) => (typeof goal_id === 'string' && typeof site_id === 'string' ? [site_id] : [])),
  )
  const lists = await Promise.all([...sites].map(site_id => ask('[Goal]', { per_page: 100 }, { site_id })))
  return new Map(lists.flatMap(goals => list(goals?.rows)).map(({ id, name }) => [text(id), text(name)]))
}

const limits: Readonly<Record<string, Key>> = { gt: 'is_above', gte: 'is_at_least', lt: 'is_below', lte: 'is_at_most' }
/** Names for what kinds without a metric look at. */
const subjects: Readonly<Record<string, Key>> = {
  usage: 'limit_used',
  ssl: 'certificate_valid_for',
  uptime: 'uptime',
}

/** `Visitors below 10, looked at over 1h`. */
function conditionOf(row: Row, viewer: Seen['viewer'], named: Named): string {
  const condition = limitOf(row, viewer, named)
  if (typeof row.window_minutes !== 'number') return condition
  return say(viewer, 'looked_at_over', { condition, time: inUnit(row.window_minutes, 'minutes', viewer) })
}

function limitOf(row: Row, viewer: Seen['viewer'], named: Named): string {
  const what = subjectOf(row, viewer, named)
  if (row.kind === 'anomaly') return say(viewer, 'is_unusual', { what, sensitivity: valueWords(row.sensitivity, viewer) })
  if (typeof row.threshold !== 'number') return what
  const value = inUnit(row.threshold, thresholdUnit(row), viewer)
  if (row.kind === 'no_data') return say(viewer, 'no_hits_for', { time: value })
  const limit = limits[text(row.operator)]
  return limit ? say(viewer, limit, { what, value }) : `${what} ${value}`
}

function subjectOf({ kind, metric, goal_id }: Row, viewer: Seen['viewer'], named: Named): string {
  if (kind === 'goal') {
    const goal = named.get(text(goal_id))
    return goal === undefined ? say(viewer, 'goal_completions') : say(viewer, 'completions_of', { goal })
  }
  if (kind === 'vitals') return text(metric).toUpperCase()
  const subject = subjects[text(kind)]
  if (subject) return say(viewer, subject)
  return fieldWords(metric === 'conversion' ? 'conversion_rate' : text(metric) || text(kind), viewer)
}
