/** Explains visitors of several days: daily visitors added up. */
import type { Viewer } from '../../../runtime/ui/format.ts'
import { say } from '../../../runtime/texts/say.ts'
import { m } from './messages.ts'

interface AddedUpProps {
  readonly metric: string
  readonly period: { readonly first_day: string; readonly last_day: string }
  readonly viewer: Viewer
}

/** Whether visitors of a period are daily visitors added up, so that people who came on several days count several times. */
const isAddedUp = ({ metric, period }: Pick<AddedUpProps, 'metric' | 'period'>): boolean =>
  metric === 'visitors' && period.first_day !== period.last_day

/** Says next to a number of visitors what it is over several days; nothing next to other numbers. */
export function AddedUp({ viewer, ...of }: AddedUpProps) {
  if (!isAddedUp(of)) return null
  return (
    <small class="basis" title={say(viewer, m.added_up_help)}>
      {say(viewer, m.added_up)}
    </small>
  )
}
