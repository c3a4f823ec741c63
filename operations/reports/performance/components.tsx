/** Web vitals with their ratings: a percentile, and the shares of loads that were good, middling and poor. */
import type { Static } from '../../../runtime/table/schema.ts'
import { Tag } from '../../../runtime/ui/cell.tsx'
import { Change } from '../../../runtime/ui/change.tsx'
import { duration, percent, plainNumber, type Viewer } from '../../../runtime/ui/format.ts'
import type { VitalRow } from './records.ts'
import { m } from './messages.ts'
import { ui } from '../../../runtime/ui/messages.ts'
import { say } from '../../../runtime/texts/say.ts'
import { labelIn } from '../../../runtime/ui/labels.ts'

/** A value in its unit; a dash if it is not known. */
export const measured = (value: number | null, unit: 'ms' | 'score', viewer: Viewer): string =>
  value === null
    ? '–'
    : unit !== 'ms'
      ? plainNumber(value, viewer)
      : value < 1_000
        ? duration(value, viewer)
        : `${plainNumber(value / 1_000, viewer)} s`

interface Shared {
  readonly good: number | null
  readonly needs_improvement: number | null
  readonly poor: number | null
}
type Row = Pick<Static<typeof VitalRow>, 'label' | 'unit' | 'samples' | 'p75' | 'rating' | 'comparison'> &
  Shared & { readonly devices?: Static<typeof VitalRow>['devices'] }

/** @param percentile of every `p75`, if it is another one */
export function VitalsTable({ rows, viewer, percentile = 75 }: { rows: readonly Row[]; viewer: Viewer; percentile?: number }) {
  const known = rows.filter(({ samples }) => samples > 0)
  if (known.length === 0) return <p class="none">{say(viewer, m.no_vitals)}</p>
  return (
    <section class="scroll" tabindex={0} aria-label={say(viewer, ui.web_vitals)}>
      <table class="vitals stacks">
        <thead>
          <tr>
            <th scope="col">{say(viewer, m.vital)}</th>
            <th scope="col" class="number">
              p{percentile}
            </th>
            <th scope="col" class="number">
              {say(viewer, m.loads)}
            </th>
            <th scope="col">{say(viewer, m.rating)}</th>
            <th scope="col">{say(viewer, m.good_to_poor)}</th>
          </tr>
        </thead>
        <tbody>
          {known.map(row => (
            <tr>
              <th scope="row">
                {row.label}
                <Devices row={row} viewer={viewer} />
              </th>
              <td class="number" data-label={`p${percentile}`}>
                {measured(row.p75, row.unit, viewer)}{' '}
                <Change value={row.comparison?.change.p75} isCompared={row.comparison !== undefined} isLessBetter viewer={viewer} />
              </td>
              <td class="number" data-label={say(viewer, m.loads)}>
                {plainNumber(row.samples, viewer)}
              </td>
              <td data-label={say(viewer, m.rating)}>{row.rating !== null && <Tag value={row.rating} viewer={viewer} />}</td>
              <td>
                <Shares row={row} viewer={viewer} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

export function Shares({ row, viewer }: { row: Shared; viewer: Viewer }) {
  const [good, middling, poor] = [row.good ?? 0, row.needs_improvement ?? 0, row.poor ?? 0]
  return (
    <>
      <svg class="shares" aria-hidden="true" focusable="false">
        <rect class="is-good" width={`${good}%`} height="100%" />
        <rect class="is-middling" x={`${good}%`} width={`${middling}%`} height="100%" />
        <rect class="is-poor" x={`${good + middling}%`} width={`${poor}%`} height="100%" />
      </svg>
      <span class="help">{[good, middling, poor].map(share => percent(share, viewer)).join(' · ')}</span>
    </>
  )
}

function Devices({ row: { devices = [], unit }, viewer }: { row: Row; viewer: Viewer }) {
  if (devices.length < 2) return null
  return (
    <span class="help devices">
      {devices.map(({ value, label, p75 }, i) => (
        <>
          {i > 0 && ', '}
          <span class="nowrap">
            {label === '' ? say(viewer, ui.unknown) : labelIn('device', { value, label }, viewer)} {measured(p75, unit, viewer)}
          </span>
        </>
      ))}
    </span>
  )
}
