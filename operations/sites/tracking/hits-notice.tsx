/** Whether hits come in, above the tracking code. */
import type { Static } from '../../../runtime/table/schema.ts'
import { instant, type Viewer } from '../../../runtime/ui/format.ts'
import { Waiting } from './components.tsx'
import type { Tracking } from './records.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

export interface HitsNoticeProps {
  readonly tracking: Static<typeof Tracking>
  /** Path of the reports, for a viewer who may see them. */
  readonly reports: string | undefined
  readonly viewer: Viewer
}

export function HitsNotice({ tracking: { first_hit_at, last_hit_at }, reports, viewer }: HitsNoticeProps) {
  if (first_hit_at === null) return <Waiting reader={viewer} />
  if (last_hit_at === null) return null
  return (
    <p class="notice" role="status">
      {say(viewer, m.hits_come, { when: instant(last_hit_at, viewer) })}{' '}
      {reports !== undefined && <a href={reports}>{say(viewer, m.to_overview)}</a>}
    </p>
  )
}
