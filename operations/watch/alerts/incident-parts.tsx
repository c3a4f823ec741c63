/** Incidents of an alert: as notes on the chart of the watched value, and as a list. */
import type { Static } from '../../../runtime/table/schema.ts'
import { LineChart } from '../../../runtime/ui/charts/line.tsx'
import { notesOn } from '../../../runtime/ui/charts/notes.ts'
import { inUnit, shortInUnit, instant, type Viewer } from '../../../runtime/ui/format.ts'
import type { AlertIncident } from './records.ts'
import type { WatchedSeries } from './watched-series.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

interface IncidentsProps {
  readonly incidents: readonly Static<typeof AlertIncident>[]
  readonly viewer: Viewer
}

export function WatchedChart({ watched, incidents, viewer }: IncidentsProps & { readonly watched: WatchedSeries }) {
  const { title, points, unit, limit } = watched
  const format = (value: number, isShort = false) => (isShort ? shortInUnit : inUnit)(value, unit, viewer)
  const notes = incidents.map(({ triggered_at, message }) => ({
    at: triggered_at,
    text: message ? say(viewer, message) : say(viewer, m.was_triggered),
  }))
  return (
    <LineChart
      reader={viewer}
      title={title}
      points={points}
      notes={notesOn(points, notes)}
      isCompared={false}
      limit={limit === undefined ? undefined : { value: limit, text: say(viewer, m.threshold, { value: format(limit) }) }}
      format={value => format(value)}
      short={value => format(value, true)}
    />
  )
}

export function Incidents({ incidents, viewer }: IncidentsProps) {
  if (incidents.length === 0) return <p class="none">{say(viewer, m.never_triggered)}</p>
  return (
    <ol class="happened" aria-label={say(viewer, m.when_triggered)}>
      {incidents.map(({ triggered_at, resolved_at, message, value, acknowledged_at, acknowledged_by }) => (
        <li>
          <p>
            <time datetime={triggered_at}>{instant(triggered_at, viewer)}</time>{' '}
            {resolved_at === null ? (
              <span class="tag bad">{say(viewer, m.open_incident)}</span>
            ) : (
              <span class="tag plain">{say(viewer, m.ended_at, { when: instant(resolved_at, viewer) })}</span>
            )}
          </p>
          <p>{message ? say(viewer, message) : say(viewer, m.measured, { value: inUnit(value ?? 0, undefined, viewer) })}</p>
          {acknowledged_at !== null && (
            <p class="help">
              {say(viewer, m.seen_by, { who: acknowledged_by || say(viewer, m.a_member), when: instant(acknowledged_at, viewer) })}
            </p>
          )}
        </li>
      ))}
    </ol>
  )
}
