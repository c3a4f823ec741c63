/** Response times of an uptime check as a chart, by range and location. */
import type { Static } from '../../../runtime/table/schema.ts'
import { LineChart } from '../../../runtime/ui/charts/line.tsx'
import { duration, pointLabel, shortInstant, type Viewer, wallClock } from '../../../runtime/ui/format.ts'
import { withQuery } from '../../../runtime/ui/words.ts'
import { meanResponseTimes } from './mean-response-times.ts'
import { ranges } from './range-labels.ts'
import type { UptimeCheckDetail } from './records.ts'
import { ui } from '../../../runtime/ui/messages.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

interface ResponseTimesProps {
  readonly check: Static<typeof UptimeCheckDetail>
  /** Address of the page, which may name a `location`. */
  readonly url: URL
  readonly viewer: Viewer
}

export function ResponseTimesPanel({ check, url, viewer }: ResponseTimesProps) {
  const { locations, shown, points: means } = meanResponseTimes(check, url.searchParams.get('location') ?? '')
  const points = means.map(({ at, value }) => ({
    label: shortInstant(new Date(at).toISOString(), viewer),
    axis: pointLabel(wallClock(at, viewer.timezone), check.range === '24h' ? 'hour' : 'day', viewer),
    value,
  }))
  return (
    <section class="card" aria-labelledby="times">
      <h2 id="times">{say(viewer, ui.response_times)}</h2>
      <nav class="tabs" aria-label={say(viewer, m.range)}>
        {ranges.map(({ range, label }) => (
          <a href={withQuery(url, { range })} aria-current={range === check.range ? 'true' : undefined}>
            {say(viewer, label)}
          </a>
        ))}
      </nav>
      {locations.length > 1 && (
        <nav class="tabs" aria-label={say(viewer, m.location)}>
          <a href={withQuery(url, { location: undefined })} aria-current={shown.length > 1 ? 'true' : undefined}>
            {say(viewer, m.all_locations)}
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
          title={say(viewer, m.response_time)}
          points={points}
          isCompared={false}
          format={value => duration(value, viewer)}
          short={value => duration(value, viewer)}
        />
      ) : (
        <p class="none">{say(viewer, m.nothing_answered)}</p>
      )}
    </section>
  )
}
