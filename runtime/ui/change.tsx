/** How much more or less it is than before, and whether that is better. */
import { say } from './languages/index.ts'
import { percent, type Viewer } from './format.ts'

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
  if (typeof value !== 'number') return <span class="change">{say(viewer, 'change_new')}</span>
  const isBetter = value > 0 !== isLessBetter
  const isSame = value === 0
  return (
    <span class={`change ${isSame ? '' : isBetter ? 'good' : 'bad'}`}>
      <span aria-hidden="true">{isSame ? '=' : value > 0 ? '↑' : '↓'}</span>
      <span class="unseen">{say(viewer, isSame ? 'unchanged' : value > 0 ? 'up_by' : 'down_by')}</span> {percent(Math.abs(value), viewer)}
    </span>
  )
}
