/** The forecast of an erasure, in sentences. */
import { say } from '../../../runtime/texts/say.ts'
import type { Static } from '../../../runtime/table/schema.ts'
import { day, money, percent, plainNumber, type Viewer } from '../../../runtime/ui/format.ts'
import { m } from './messages.ts'
import type { ErasurePreview } from './records.ts'

export function Forecast({ of: found, viewer }: { of: Static<typeof ErasurePreview>; viewer: Viewer }) {
  if (found.visits === 0) return <p class="forecast">{say(viewer, m.preview_none)}</p>
  const days = { from: day(found.from, viewer), to: day(found.to, viewer), share: percent(found.share, viewer) }
  const isOfHits = found.traffic_rule !== null && found.whole_visits < found.visits
  const contents = {
    pageviews: plainNumber(found.pageviews, viewer),
    events: plainNumber(found.events, viewer),
    revenue: money(found.revenue, viewer),
  }
  return (
    <div class="forecast">
      <p>
        {isOfHits
          ? say(viewer, m.preview_hits, { ...days, visits: found.visits, whole: found.whole_visits })
          : say(viewer, m.preview, { ...days, visits: found.visits, days: found.days })}{' '}
        {say(viewer, m.preview_contents, contents)}
      </p>
      {found.visits === found.all_visits && !isOfHits && <p class="error">{say(viewer, m.preview_all)}</p>}
      {found.imported_days > 0 && <p>{say(viewer, m.preview_imported, { days: found.imported_days })}</p>}
    </div>
  )
}
