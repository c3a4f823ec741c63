/** Shows the change of a figure since the earlier period, and whether it is an improvement. */
import type { Unit } from '../table/schema.ts'
import { inUnit, percent, type Viewer } from './format.ts'
import { Icon } from './icons/icon.tsx'
import { ui } from './messages.ts'
import { say } from '../texts/say.ts'

/** Larger changes, from next to nothing, have no more meaning. */
const MAX_SHOWN = 9_999

/** Returns a change without its sign. @param unit of the figure */
export const changeShown = (by: number, unit: Unit | undefined, viewer: Viewer): string =>
  unit === 'percent' ? inUnit(by, 'percentage_points', viewer) : by > MAX_SHOWN ? `> ${percent(MAX_SHOWN, viewer)}` : percent(by, viewer)

export function Change({
  value,
  figure,
  unit,
  isCompared,
  isLessBetter = false,
  viewer,
}: {
  value: unknown
  /** The figure itself. If it is 0 or not known (null), it is not new. */
  figure?: number | null | undefined
  /** Of the figure: a figure in percent changes by points. */
  unit?: Unit | undefined
  isCompared: boolean
  isLessBetter?: boolean
  viewer: Viewer
}) {
  if (!isCompared) return null
  if (typeof value !== 'number') return figure === 0 || figure === null ? null : <span class="change">{say(viewer, ui.change_new)}</span>
  const isBetter = value > 0 !== isLessBetter
  const isSame = value === 0
  return (
    <span class={`change ${isSame ? '' : isBetter ? 'good' : 'bad'}`}>
      {!isSame && <Icon name={value > 0 ? 'rises' : 'falls'} size="small" />}
      <span class="unseen">{say(viewer, isSame ? ui.unchanged : value > 0 ? ui.up_by : ui.down_by)}</span>{' '}
      {changeShown(Math.abs(value), unit, viewer)}
    </span>
  )
}
