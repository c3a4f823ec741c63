/** Shows the change of a figure since the earlier period, and whether it is an improvement. */
import { percent, type Viewer } from './format.ts'
import { ui } from './messages.ts'
import { say } from '../texts/say.ts'

export function Change({
  value,
  isCompared,
  isLessBetter = false,
  viewer,
}: {
  value: unknown
  isCompared: boolean
  isLessBetter?: boolean
  viewer: Viewer
}) {
  if (!isCompared) return null
  if (typeof value !== 'number') return <span class="change">{say(viewer, ui.change_new)}</span>
  const isBetter = value > 0 !== isLessBetter
  const isSame = value === 0
  return (
    <span class={`change ${isSame ? '' : isBetter ? 'good' : 'bad'}`}>
      <span aria-hidden="true">{isSame ? '=' : value > 0 ? '↑' : '↓'}</span>
      <span class="unseen">{say(viewer, isSame ? ui.unchanged : value > 0 ? ui.up_by : ui.down_by)}</span>{' '}
      {percent(Math.abs(value), viewer)}
    </span>
  )
}
