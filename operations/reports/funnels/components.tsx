import type { Static } from '../../../runtime/table/schema.ts'
import { FunnelChart } from '../../../runtime/ui/charts/funnel.tsx'
import { duration, percent, plainNumber, type Viewer } from '../../../runtime/ui/format.ts'
import type { FunnelReport } from './records.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

interface StepsProps {
  readonly rows: Static<typeof FunnelReport>['rows']
  readonly viewer: Viewer
}

/** The steps of a funnel as a chart, with the visitors lost between them. */
export function Steps({ rows, viewer }: StepsProps) {
  if (!rows[0]?.visitors) return <p class="none">{say(viewer, m.no_first_step)}</p>
  return (
    <FunnelChart
      label={say(viewer, m.steps)}
      steps={rows.map((row, i) => ({
        label: row.label,
        share: row.conversion_rate,
        figure: `${plainNumber(row.visitors, viewer)} · ${percent(row.conversion_rate, viewer)}`,
        lost: i === 0 ? undefined : [lostAt(row, viewer), ...(row.time_median === null ? [] : [tookTo(row, viewer)])].join(' · '),
      }))}
    />
  )
}

const lostAt = (row: StepsProps['rows'][number], viewer: Viewer): string =>
  say(viewer, m.lost, {
    count: plainNumber(row.drop_off, viewer),
    share: percent(row.drop_off_rate, viewer),
    rest: percent(row.step_conversion_rate, viewer),
  })

const tookTo = ({ time_median, time_p90 }: StepsProps['rows'][number], viewer: Viewer): string =>
  say(viewer, m.took, { median: duration(time_median ?? 0, viewer), p90: duration(time_p90 ?? 0, viewer) })

/** The steps as columns next to each other, each as high as the share of visitors that came so far. */
export const StepBars = ({ rows, viewer }: StepsProps) => (
  <span class="step-bars">
    {rows.map(({ label, conversion_rate: rate }) => (
      <span>
        <svg aria-hidden="true" focusable="false">
          <rect class="whole" width="100%" height="100%" rx="4" />
          <rect class="part" y={`${100 - rate}%`} width="100%" height={`${rate}%`} rx="4" />
        </svg>
        <b>{percent(rate, viewer)}</b> <small>{label}</small>
      </span>
    ))}
  </span>
)
