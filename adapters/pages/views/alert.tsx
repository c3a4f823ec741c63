/** An alert: its state, the metric that it watches with the times it was triggered, and those times as a list. */
import { say } from '../languages/index.ts'
import { Cell, Tag } from '../cell.tsx'
import { LineChart } from '../charts/line.tsx'
import { inUnit, instant, pointLabel } from '../format.ts'
import { RecordView } from '../record.tsx'
import { fieldWords, words } from '../words.ts'
import { notesOn } from './notes.ts'
import { fieldsOf, list, number, type Row, text } from './read.ts'
import type { Seen, View } from './view.ts'

const told = new Set(['id', 'site_id', 'name', 'state'])
const mostIncidents = 20

export const alert: View = {
  async show(seen) {
    const { data, ask } = seen
    const [incidents, traffic] = await Promise.all([ask('[AlertIncident]', { per_page: mostIncidents }), trafficOf(data, seen)])
    return { content: <Alert seen={seen} incidents={list(incidents?.rows)} traffic={traffic} /> }
  },
}

/** Metrics of traffic by what alerts call them; what others watch has no series. */
const series: Readonly<Record<string, string>> = {
  visitors: 'visitors',
  visits: 'visits',
  pageviews: 'pageviews',
  bounce_rate: 'bounce_rate',
}

interface Traffic {
  readonly title: string
  readonly metric: string
  readonly data: Row
}

async function trafficOf(
  { site_id, metric, kind, goal_id }: Row,
  { ask, viewer }: Pick<Seen, 'ask' | 'viewer'>,
): Promise<Traffic | undefined> {
  const isOfGoal = typeof goal_id === 'string'
  const name = kind === 'no_data' ? 'pageviews' : isOfGoal ? 'visitors' : series[text(metric)]
  if (typeof site_id !== 'string' || name === undefined) return undefined
  const filters = isOfGoal ? { filters: [['goal', 'is', goal_id]] } : {}
  const data = await ask('Timeseries', { period: '30d', metrics: [name], ...filters }, { site_id })
  return data && { title: isOfGoal ? say(viewer, 'reached_goal') : fieldWords(name, viewer), metric: name, data }
}

interface AlertProps {
  readonly seen: Seen
  readonly incidents: readonly Row[]
  readonly traffic: Traffic | undefined
}

function Alert({ seen: { schema, data, viewer }, incidents, traffic }: AlertProps) {
  return (
    <>
      <section class="card" aria-labelledby="state">
        <div class="between">
          <h2 id="state">{traffic ? say(viewer, 'over_30_days', { what: traffic.title }) : say(viewer, 'state')}</h2>
          <Tag value={data.state} />
        </div>
        {traffic && <Watched {...traffic} incidents={incidents} viewer={viewer} />}
        <Incidents rows={incidents} viewer={viewer} />
      </section>
      <div class="card">
        <RecordView schema={schema} data={data} viewer={viewer} without={told} />
      </div>
    </>
  )
}

function Watched({ title, metric, data, incidents, viewer }: Traffic & { incidents: readonly Row[]; viewer: Seen['viewer'] }) {
  const points = list(data.series)
  const unit = metric === 'bounce_rate' ? 'percent' : 'count'
  return (
    <LineChart
      reader={viewer}
      title={title}
      points={points.map(point => ({
        label: pointLabel(text(point.at), text(data.interval), viewer),
        value: number(point[metric]),
        isPartial: point.partial === true,
      }))}
      notes={notesOn(
        points,
        incidents.map(incident => ({ at: incident.triggered_at, text: incident.message ?? say(viewer, 'triggered') })),
      )}
      isCompared={false}
      format={value => inUnit(value, unit, viewer)}
      short={value => inUnit(value, unit, viewer, true)}
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
          <p>{text(row.message) || say(viewer, 'measured', { value: inUnit(number(row.value), undefined, viewer) })}</p>
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
export const alerts: View = {
  async show({ schema, data, viewer, hrefOf }) {
    const rows = list(data.rows)
    if (rows.length === 0) return undefined
    const fields = fieldsOf({ ...schema, properties: { rows: schema } }, 'rows')
    return {
      content: (
        <ul class="watched">
          {rows.map(row => (
            <li class="card">
              <p class="between">
                <a href={hrefOf(row)}>
                  <b>{text(row.name)}</b>
                </a>
                <span>
                  {row.enabled === false && <span class="tag plain">{say(viewer, 'off')}</span>} <Tag value={row.state} />
                </span>
              </p>
              <p class="help">
                {conditionOf(row, viewer)}
                {typeof row.last_triggered_at === 'string' && (
                  <>
                    {` · ${say(viewer, 'last_triggered')} `}
                    <Cell schema={fields.last_triggered_at ?? schema} value={row.last_triggered_at} viewer={viewer} />
                  </>
                )}
              </p>
            </li>
          ))}
        </ul>
      ),
    }
  },
}

const operators: Readonly<Record<string, string>> = { gt: 'above', gte: 'at least', lt: 'below', lte: 'at most' }

const units = { no_data: 'hours', usage: 'percent', ssl: 'days' } as const
/** What the threshold is counted in. */
function unitOf({ kind, metric }: Row) {
  if (kind === 'no_data' || kind === 'usage' || kind === 'ssl') return units[kind]
  if (kind === 'vitals') return metric === 'cls' ? undefined : 'ms'
  return metric === 'bounce_rate' || metric === 'conversion' ? 'percent' : undefined
}

/** `Visitors below 10 in 1h`. */
function conditionOf(row: Row, viewer: Seen['viewer']): string {
  const what = words(text(row.metric) || text(row.kind))
  const window = typeof row.window_minutes === 'number' ? `, looked at over ${inUnit(row.window_minutes, 'minutes', viewer)}` : ''
  if (row.kind === 'anomaly') return `${what}: other than usual, ${text(row.sensitivity)} sensitivity${window}`
  if (typeof row.threshold !== 'number') return `${what}${window}`
  return `${what} ${operators[text(row.operator)] ?? ''} ${inUnit(row.threshold, unitOf(row), viewer)}${window}`
}
