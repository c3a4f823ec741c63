/** An uptime check: how it is, how much of the time it was up, how fast it answers, and when it was down. */
import { say, told } from '../../../runtime/ui/languages/index.ts'
import { isObject } from '../../../runtime/values/json.ts'
import { Tag } from '../../../runtime/ui/cell.tsx'
import { LineChart } from '../../../runtime/ui/charts/line.tsx'
import { Strip, type StripDay } from '../../../runtime/ui/charts/strip.tsx'
import { day as dayOf, duration, instant, shortInstant, type Viewer, wallClock } from '../../../runtime/ui/format.ts'
import { RecordView } from '../../../runtime/ui/record.tsx'
import { spelled } from '../../../runtime/texts/names.ts'
import { withQuery } from '../../../runtime/ui/words.ts'
import { list, number, record, type Row, text } from './read.ts'
import type { Seen, View } from './view.ts'

const DAY = 86_400_000
const stripDays = 30
const ranges = { '24h': 'range_24h', '7d': 'period_7d', '30d': 'period_30d' } as const
/** Told on the page by other means. */
const saidAbove = new Set(['id', 'workspace_id', 'site_id', 'name', 'status', 'uptime', 'range', 'response_times', 'incidents'])

export const uptimeCheck: View = {
  own: ['location'],
  async show(seen) {
    return { content: <Check {...seen} /> }
  },
}

function Check(seen: Seen) {
  const { schema, data, viewer } = seen
  const incidents = list(data.incidents)
  const days = daysOf(incidents, Date.parse(text(data.created_at)), seen.now, viewer)
  const bad = days.filter(({ down }) => down !== null && down > 0).length
  return (
    <>
      <section class="card" aria-labelledby="availability">
        <div class="between">
          <h2 id="availability">{say(viewer, 'availability')}</h2>
          <Tag value={data.status} viewer={viewer} />
        </div>
        <ul class="headline">
          {Object.entries(ranges).map(([range, name]) => {
            const value = record(data.uptime)[range]
            return (
              <li>
                <span class="still">
                  <span class="name">{say(viewer, name)}</span>
                  <span class="figure">{typeof value === 'number' ? precisely(value, viewer) : '–'}</span>
                </span>
              </li>
            )
          })}
        </ul>
        <Strip label={say(viewer, 'strip_says', { days: stripDays, bad })} days={days} />
      </section>
      <ResponseTimes {...seen} />
      <Incidents rows={incidents} viewer={viewer} />
      <div class="card">
        <RecordView schema={schema} data={data} viewer={viewer} without={saidAbove} />
      </div>
    </>
  )
}

/** 99.987 %: the digits behind the comma are what it is about. Cut, never rounded up to 100. */
export const precisely = (value: number, { locale }: Viewer): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 3 }).format(value / 100)

/** By days of the viewer's zone, the latest last. @param now epoch ms */
function daysOf(incidents: readonly Row[], since: number, now: number, viewer: Viewer): StripDay[] {
  return Array.from({ length: stripDays }, (_, i): StripDay => {
    const to = now - (stripDays - 1 - i) * DAY
    const from = to - DAY
    const label = dayOf(wallClock(to, viewer.timezone), viewer)
    if (to < since) return { label, down: null, says: say(viewer, 'not_watched_yet') }
    const down = incidents.reduce((sum, incident) => {
      const start = Date.parse(text(incident.started_at))
      const end = typeof incident.resolved_at === 'string' ? Date.parse(incident.resolved_at) : now
      return sum + Math.max(0, Math.min(end, to) - Math.max(start, from))
    }, 0)
    return {
      label,
      down: down / DAY,
      says: down === 0 ? say(viewer, 'no_outage') : say(viewer, 'down_for', { time: duration(down, viewer) }),
    }
  })
}

/** Response times in ms, with gaps: of one location, or the mean of all of them. @param data a check with its times */
export function responseTimes(data: Row, asked = '') {
  const times = record(data.response_times)
  const series = isObject(times.series) ? times.series : {}
  const locations = Object.keys(series)
  const shown = locations.includes(asked) ? [asked] : locations
  const labels = Array.isArray(times.labels) ? times.labels.map(String) : []
  const measured = labels.map((at, i) => {
    const known = shown
      .map(name => (Array.isArray(series[name]) ? (series[name][i] as unknown) : null))
      .filter(value => typeof value === 'number')
    return {
      at: Date.parse(at),
      value: known.length === 0 ? null : Math.round(known.reduce((sum, value) => sum + value, 0) / known.length),
    }
  })
  return { locations, shown, points: withGaps(measured, number(data.interval_seconds) * 1_000) }
}

function ResponseTimes({ data, url, viewer }: Seen) {
  const range = text(data.range)
  const { locations, shown, points: measured } = responseTimes(data, url.searchParams.get('location') ?? '')
  const points = measured.map(({ at, value }) => ({
    label: shortInstant(new Date(at).toISOString(), viewer),
    axis: range === '24h' ? clock(at, viewer) : dayOf(wallClock(at, viewer.timezone), viewer),
    value,
  }))
  return (
    <section class="card" aria-labelledby="times">
      <h2 id="times">{say(viewer, 'response_times')}</h2>
      <nav class="tabs" aria-label={say(viewer, 'range')}>
        {Object.entries(ranges).map(([each, name]) => (
          <a href={withQuery(url, { range: each })} aria-current={each === range ? 'true' : undefined}>
            {say(viewer, name)}
          </a>
        ))}
      </nav>
      {locations.length > 1 && (
        <nav class="tabs" aria-label={say(viewer, 'location')}>
          <a href={withQuery(url, { location: undefined })} aria-current={shown.length > 1 ? 'true' : undefined}>
            {say(viewer, 'all_locations')}
          </a>
          {locations.map(name => (
            <a href={withQuery(url, { location: name })} aria-current={shown.length === 1 && shown[0] === name ? 'true' : undefined}>
              {name}
            </a>
          ))}
        </nav>
      )}
      {points.some(({ value }) => value !== null) ? (
        <LineChart
          reader={viewer}
          title={say(viewer, 'response_time')}
          points={points}
          isCompared={false}
          format={value => duration(value, viewer)}
          short={value => duration(value, viewer)}
        />
      ) : (
        <p class="none">{say(viewer, 'nothing_answered')}</p>
      )}
    </section>
  )
}

const clock = (at: number, { timezone }: Viewer): string => wallClock(at, timezone).slice(11)

interface Measured {
  /** Epoch ms. */
  readonly at: number
  readonly value: number | null
}

/** Intervals between two probes are no gaps; those in which probes are missing are one each. @param every ms between probes */
function withGaps(points: readonly Measured[], every: number): Measured[] {
  const width = (points[1]?.at ?? 0) - (points[0]?.at ?? 0)
  const longest = 2.5 * Math.max(every, width)
  const known = points.filter(({ value }) => value !== null)
  return known.flatMap((point, i) => {
    const before = known[i - 1]
    return before && point.at - before.at > longest ? [{ at: before.at + width, value: null }, point] : [point]
  })
}

function Incidents({ rows, viewer }: { rows: readonly Row[]; viewer: Viewer }) {
  return (
    <section class="card" aria-labelledby="incidents">
      <h2 id="incidents">{say(viewer, 'outages')}</h2>
      {rows.length === 0 ? (
        <p class="none">{say(viewer, 'never_down')}</p>
      ) : (
        <section class="scroll" tabindex={0} aria-label={say(viewer, 'outages')}>
          <table class="stacks">
            <thead>
              <tr>
                <th scope="col">{say(viewer, 'began')}</th>
                <th scope="col">{say(viewer, 'ended')}</th>
                <th scope="col" class="number">
                  {say(viewer, 'lasted')}
                </th>
                <th scope="col">{say(viewer, 'cause')}</th>
                <th scope="col">{say(viewer, 'seen_from')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(row => (
                <tr>
                  <th scope="row">
                    <time datetime={text(row.started_at)}>{instant(text(row.started_at), viewer)}</time>
                  </th>
                  <td data-label={say(viewer, 'ended')}>
                    {typeof row.resolved_at === 'string' ? (
                      <time datetime={row.resolved_at}>{instant(row.resolved_at, viewer)}</time>
                    ) : (
                      <span class="tag bad">{say(viewer, 'still_down')}</span>
                    )}
                  </td>
                  <td class="number" data-label={say(viewer, 'lasted')}>
                    {duration(number(row.duration_seconds) * 1_000, viewer)}
                  </td>
                  <td data-label={say(viewer, 'cause')}>
                    {row.cause === null ? say(viewer, 'unknown') : told(viewer, spelled(text(row.cause)))}
                  </td>
                  <td data-label={say(viewer, 'seen_from')}>
                    {Array.isArray(row.failed_locations) ? row.failed_locations.map(String).join(', ') : ''}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  )
}
