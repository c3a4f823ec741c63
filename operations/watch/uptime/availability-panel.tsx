/** The availability of an uptime check: percentages of three ranges, and a strip with its last 30 days. */
import type { Static } from '../../../runtime/table/schema.ts'
import { Tag } from '../../../runtime/ui/cell.tsx'
import { Strip, type StripDay } from '../../../runtime/ui/charts/strip.tsx'
import { day, duration, type Viewer, wallClock } from '../../../runtime/ui/format.ts'
import type { CheckAvailability } from '../../reports/availability/records.ts'
import { ranges } from './range-labels.ts'
import type { UptimeCheckDetail } from './records.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

type Check = Static<typeof UptimeCheckDetail>

const STRIP_DAYS = 30

/** @param now epoch ms */
export function AvailabilityPanel({ check, now, viewer }: { check: Check; now: number; viewer: Viewer }) {
  const days = daysOf(check, now, viewer)
  const bad = days.filter(({ down }) => down !== null && down > 0).length
  return (
    <section class="card" aria-labelledby="availability">
      <div class="between">
        <h2 id="availability">{say(viewer, m.availability)}</h2>
        <Tag value={check.status} viewer={viewer} />
      </div>
      <ul class="headline">
        {ranges.map(({ range, label }) => {
          const value = check.uptime[range]
          return (
            <li>
              <span class="still">
                <span class="name">{say(viewer, label)}</span>
                <span class="figure">{value === null ? '–' : percentUp(value, viewer)}</span>
              </span>
            </li>
          )
        })}
      </ul>
      <Strip label={say(viewer, m.strip_says, { days: STRIP_DAYS, bad })} days={days} />
    </section>
  )
}

/** `https://example.com/ · 99.98% up in 30 days · 120 ms · certificate until Mar 3, 2027`. */
export function checkSummary(check: Static<typeof CheckAvailability>, viewer: Viewer): string {
  const target = (check.url || check.host) ?? ''
  const up = check.uptime['30d']
  return [
    target === check.name ? '' : target,
    up === null ? '' : say(viewer, m.up_in_30, { share: percentUp(up, viewer) }),
    check.last_response_ms === null ? '' : duration(check.last_response_ms, viewer),
    check.ssl_expires_at === null ? '' : say(viewer, m.certificate_until, { when: day(check.ssl_expires_at, viewer) }),
  ]
    .filter(part => part !== '')
    .join(' · ')
}

/** `99.987%`, because the decimals matter. The report cuts the value, so it is never rounded up to 100. */
const percentUp = (value: number, { locale }: Viewer): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 3 }).format(value / 100)

/** The last days in the viewer's time zone, the latest last. @param now epoch ms */
function daysOf({ incidents, created_at }: Check, now: number, viewer: Viewer): StripDay[] {
  const since = Date.parse(created_at)
  return Array.from({ length: STRIP_DAYS }, (_, i): StripDay => {
    const to = now - (STRIP_DAYS - 1 - i) * DAY_MS
    const from = to - DAY_MS
    const label = day(wallClock(to, viewer.timezone), viewer)
    if (to < since) return { label, down: null, says: say(viewer, m.not_watched_yet) }
    const down = incidents.reduce((sum, { started_at, resolved_at }) => {
      const end = resolved_at === null ? now : Date.parse(resolved_at)
      return sum + Math.max(0, Math.min(end, to) - Math.max(Date.parse(started_at), from))
    }, 0)
    return {
      label,
      down: down / DAY_MS,
      says: down === 0 ? say(viewer, m.no_outage) : say(viewer, m.down_for, { time: duration(down, viewer) }),
    }
  })
}
