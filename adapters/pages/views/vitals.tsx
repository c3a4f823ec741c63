/** Web vitals with their ratings: the 75th percentile, and how many loads were good, middling and poor. */
import { inLanguage, say } from '../../../runtime/ui/languages/index.ts'
import { Tag } from '../../../runtime/ui/cell.tsx'
import { duration, percent, plainNumber, type Viewer } from '../../../runtime/ui/format.ts'
import { Change } from '../../../runtime/ui/change.tsx'
import { list, number, record, type Row, text } from './read.ts'

/** In its unit; a dash where nothing is known. */
export const measured = (value: unknown, unit: unknown, viewer: Viewer): string =>
  typeof value !== 'number'
    ? '–'
    : unit !== 'ms'
      ? plainNumber(value, viewer)
      : value < 1_000
        ? duration(value, viewer)
        : `${plainNumber(value / 1_000, viewer)} s`

/** @param percentile of every `p75`, where it is another */
export function VitalsTable({ rows, viewer, percentile = 75 }: { rows: readonly Row[]; viewer: Viewer; percentile?: unknown }) {
  const known = rows.filter(row => number(row.samples) > 0)
  if (known.length === 0) return <p class="none">{say(viewer, 'no_vitals')}</p>
  return (
    <section class="scroll" tabindex={0} aria-label={say(viewer, 'web_vitals')}>
      <table class="vitals stacks">
        <thead>
          <tr>
            <th scope="col">{say(viewer, 'vital')}</th>
            <th scope="col" class="number">
              p{Number(percentile)}
            </th>
            <th scope="col">{say(viewer, 'rating')}</th>
            <th scope="col">{say(viewer, 'good_to_poor')}</th>
            <th scope="col" class="number">
              {say(viewer, 'loads')}
            </th>
          </tr>
        </thead>
        <tbody>
          {known.map(row => (
            <tr>
              <th scope="row">
                {text(row.label)}
                <Devices row={row} viewer={viewer} />
              </th>
              <td class="number" data-label={`p${Number(percentile)}`}>
                {measured(row.p75, row.unit, viewer)}{' '}
                <Change
                  value={record(record(row.comparison).change).p75}
                  isCompared={row.comparison !== undefined}
                  isLessBetter
                  viewer={viewer}
                />
              </td>
              <td data-label={say(viewer, 'rating')}>{typeof row.rating === 'string' && <Tag value={row.rating} viewer={viewer} />}</td>
              <td>
                <Shares row={row} viewer={viewer} />
              </td>
              <td class="number" data-label={say(viewer, 'loads')}>
                {plainNumber(number(row.samples), viewer)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

export function Shares({ row, viewer }: { row: Row; viewer: Viewer }) {
  const [good, middling, poor] = [number(row.good), number(row.needs_improvement), number(row.poor)]
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

function Devices({ row, viewer }: { row: Row; viewer: Viewer }) {
  const devices = list(row.devices)
  if (devices.length < 2) return null
  return (
    <span class="help devices">
      {devices
        .map(device => `${inLanguage(viewer, text(device.label)) || say(viewer, 'unknown')} ${measured(device.p75, row.unit, viewer)}`)
        .join(', ')}
    </span>
  )
}
